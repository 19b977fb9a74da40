// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the devices say about themselves.
#ifndef CU2CPP_API_DEVICE_ATTRIBUTES_TABLE_H
#define CU2CPP_API_DEVICE_ATTRIBUTES_TABLE_H

#include <driver_types.h>

namespace cu2cpp::rt {

/// propertiesOf() fills in what cudaGetDeviceProperties() answers for the device.
cudaDeviceProp propertiesOf(int device);

/// attributeOf() looks the attribute up in the properties; false for a number that is no attribute.
bool attributeOf(const cudaDeviceProp& properties, cudaDeviceAttr attribute, int& value);

} // namespace cu2cpp::rt

#endif
