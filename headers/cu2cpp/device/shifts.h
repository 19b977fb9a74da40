// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts by as many bits as a value has, or more: a GPU moves all bits out. C++ leaves the result
// open, and x86 processors take the count modulo the width. Translated code says gpuShift() where
// device code is written so that this can happen.
//
// PTX ISA, 'shl' and 'shr': "Shift amounts greater than the register width N are clamped to N."
#ifndef CU2CPP_DEVICE_SHIFTS_H
#define CU2CPP_DEVICE_SHIFTS_H

namespace cu2cpp {

/// ShiftCount is the right side of a shift with a GPU's meaning.
struct ShiftCount {
  unsigned long long bits;

  template <class Type>
  friend constexpr auto operator<<(Type value, ShiftCount count) -> decltype(value << 1) {
    return count.bits < sizeof(value << 1) * 8 ? value << int(count.bits) : 0;
  }
  template <class Type>
  friend constexpr auto operator>>(Type value, ShiftCount count) -> decltype(value >> 1) {
    constexpr int last = int(sizeof(value >> 1)) * 8 - 1;
    return count.bits <= static_cast<unsigned long long>(last)
               ? value >> int(count.bits)
               : (value >> last) >> 1; // nothing but the sign is left
  }
  template <class Type> friend constexpr Type& operator<<=(Type& value, ShiftCount count) {
    return value = Type(value << count);
  }
  template <class Type> friend constexpr Type& operator>>=(Type& value, ShiftCount count) {
    return value = Type(value >> count);
  }
};

/// gpuShift() counts bits as PTX does, unsigned: a negative count moves all bits out too.
template <class Type> constexpr ShiftCount gpuShift(Type bits) {
  return {static_cast<unsigned long long>(bits)};
}

} // namespace cu2cpp

#endif
