// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thrust's asynchronous algorithms and events are not offered: the work of every algorithm is done
// when it returns. This file stands in the way of the package's own, which wants a GPU.
#error "cu2cpp does not support thrust::async, thrust::event and thrust::future"
