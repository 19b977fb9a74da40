// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::DeviceSelect: the items that a flag, a functor or a change of value selects, in their order.
//
// CUB documentation, 'DeviceSelect'.
#ifndef CU2CPP_CUB_DEVICE_SELECT_CUH
#define CU2CPP_CUB_DEVICE_SELECT_CUH

#include <cub/detail/device_runs.cuh>
#include <cub/thread/thread_operators.cuh>

namespace cub {
namespace detail {

/// copySelected() gives the selected items to `out`; in place, with a copy between, since pieces
/// write where others still read.
template <bool inPlace, class In, class Out, class NumOut, class Select>
inline cudaError_t copySelected(void* temp, size_t& bytes, In in, Out out, NumOut numOut,
                                long long size, Select select, cudaStream_t stream) {
  using Type = ValueOf<In>;
  Runs chosen;
  Type* kept = nullptr;
  if (const auto done = chosen.reserve(temp, bytes, size, kept, inPlace ? std::size_t(size) : 1))
    return *done;
  ::cu2cpp::parallel::Steps steps(stream);
  chosen.select(steps, select);
  if constexpr (inPlace) {
    chosen.each(steps, [=](std::size_t number, std::size_t i, std::size_t) {
      ::new (static_cast<void*>(kept + number)) Type(in[std::ptrdiff_t(i)]);
    });
    chosen.each(steps, [=](std::size_t number, std::size_t, std::size_t) mutable {
      out[std::ptrdiff_t(number)] = kept[number];
    });
  } else {
    chosen.each(steps, [=](std::size_t number, std::size_t i, std::size_t) mutable {
      out[std::ptrdiff_t(number)] = in[std::ptrdiff_t(i)];
    });
  }
  chosen.count(steps, numOut);
  return steps.error();
}

} // namespace detail

struct DeviceSelect {
  template <class In, class Flags, class Out, class NumOut>
  static cudaError_t Flagged(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                             Flags d_flags, Out d_out, NumOut d_num_selected_out,
                             long long num_items, cudaStream_t stream = 0, bool = false) {
    return detail::copySelected<false>(
        d_temp_storage, temp_storage_bytes, d_in, d_out, d_num_selected_out, num_items,
        [d_flags](std::size_t i) { return bool(d_flags[std::ptrdiff_t(i)]); }, stream);
  }
  template <class It, class Flags, class NumOut>
  static cudaError_t Flagged(void* d_temp_storage, size_t& temp_storage_bytes, It d_data,
                             Flags d_flags, NumOut d_num_selected_out, long long num_items,
                             cudaStream_t stream = 0) {
    return detail::copySelected<true>(
        d_temp_storage, temp_storage_bytes, d_data, d_data, d_num_selected_out, num_items,
        [d_flags](std::size_t i) { return bool(d_flags[std::ptrdiff_t(i)]); }, stream);
  }
  template <class In, class Out, class NumOut, class SelectOp>
  static cudaError_t If(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                        NumOut d_num_selected_out, long long num_items, SelectOp select_op,
                        cudaStream_t stream = 0, bool = false) {
    return detail::copySelected<false>(
        d_temp_storage, temp_storage_bytes, d_in, d_out, d_num_selected_out, num_items,
        [d_in, select_op](std::size_t i) mutable {
          return bool(select_op(d_in[std::ptrdiff_t(i)]));
        },
        stream);
  }
  template <class It, class NumOut, class SelectOp>
  static cudaError_t If(void* d_temp_storage, size_t& temp_storage_bytes, It d_data,
                        NumOut d_num_selected_out, long long num_items, SelectOp select_op,
                        cudaStream_t stream = 0) {
    return detail::copySelected<true>(
        d_temp_storage, temp_storage_bytes, d_data, d_data, d_num_selected_out, num_items,
        [d_data, select_op](std::size_t i) mutable {
          return bool(select_op(d_data[std::ptrdiff_t(i)]));
        },
        stream);
  }
  template <class In, class Flags, class Out, class NumOut, class SelectOp>
  static cudaError_t FlaggedIf(void* d_temp_storage, size_t& temp_storage_bytes, In d_in,
                               Flags d_flags, Out d_out, NumOut d_num_selected_out,
                               long long num_items, SelectOp select_op, cudaStream_t stream = 0) {
    return detail::copySelected<false>(
        d_temp_storage, temp_storage_bytes, d_in, d_out, d_num_selected_out, num_items,
        [d_flags, select_op](std::size_t i) mutable {
          return bool(select_op(d_flags[std::ptrdiff_t(i)]));
        },
        stream);
  }
  /// The first item of each run of equal ones.
  template <class In, class Out, class NumOut>
  static cudaError_t Unique(void* d_temp_storage, size_t& temp_storage_bytes, In d_in, Out d_out,
                            NumOut d_num_selected_out, long long num_items, cudaStream_t stream = 0,
                            bool = false) {
    return detail::copySelected<false>(d_temp_storage, temp_storage_bytes, d_in, d_out,
                                       d_num_selected_out, num_items, firstOfRun(d_in), stream);
  }
  template <class Keys, class Values, class KeysOut, class ValuesOut, class NumOut>
  static cudaError_t UniqueByKey(void* d_temp_storage, size_t& temp_storage_bytes, Keys d_keys_in,
                                 Values d_values_in, KeysOut d_keys_out, ValuesOut d_values_out,
                                 NumOut d_num_selected_out, long long num_items,
                                 cudaStream_t stream = 0, bool = false) {
    detail::Runs runs;
    if (const auto done = runs.reserve(d_temp_storage, temp_storage_bytes, num_items))
      return *done;
    ::cu2cpp::parallel::Steps steps(stream);
    runs.select(steps, firstOfRun(d_keys_in));
    runs.each(steps, [=](std::size_t number, std::size_t i, std::size_t) mutable {
      d_keys_out[std::ptrdiff_t(number)] = d_keys_in[std::ptrdiff_t(i)];
      d_values_out[std::ptrdiff_t(number)] = d_values_in[std::ptrdiff_t(i)];
    });
    runs.count(steps, d_num_selected_out);
    return steps.error();
  }

private:
  template <class In> static auto firstOfRun(In in) {
    return [in](std::size_t i) {
      return i == 0 || !(in[std::ptrdiff_t(i) - 1] == in[std::ptrdiff_t(i)]);
    };
  }
};

} // namespace cub

#endif
