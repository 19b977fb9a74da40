// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel launches: launch(kernel, grid, block, sharedBytes, stream)(arguments...) is what
// `kernel<<<grid, block, sharedBytes, stream>>>(arguments...)` becomes, and kernelAddress(kernel)
// is what a kernel's name becomes where its address is taken, so that cudaLaunchKernel(address,
// ...) can find the kernel's parameter types.
//
// CUDA C++ Programming Guide, 'Execution Configuration'.
#ifndef CU2CPP_KERNEL_CALL_H
#define CU2CPP_KERNEL_CALL_H

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include <cuda_runtime_api.h>
#include <vector_types.h>

namespace cu2cpp {

template <class... Parameters>
auto kernelAddress(void (*kernel)(Parameters...)) -> void (*)(Parameters...);

namespace detail {

/// KernelCall is one queued launch: the kernel and its arguments by value. Pointers own it where
/// they say so: std::unique_ptr's header would take compilers as long to read as ours of launches.
class KernelCall {
public:
  virtual ~KernelCall() = default;
  /// runBlock() runs the kernel once, for the block that thisBlock() names. Called from several OS
  /// threads at once.
  virtual void runBlock() const = 0;
  /// clone() copies the call with its arguments (a graph's kernel node launches it again and
  /// again). The caller owns the copy.
  virtual KernelCall* clone() const = 0;
  /// kernel() is the kernel's address, null for a callable object.
  virtual const void* kernel() const = 0;
  /// identity() tells the kernel from others: its address or, for a callable object without values,
  /// that of something there is one of for its type. Null where neither can be told.
  virtual const void* identity() const = 0;
  /// argumentCount() is the number of arguments; addresses() writes where they lie in this call.
  virtual std::size_t argumentCount() const = 0;
  virtual void addresses(void** out) = 0;
  /// announce() makes the kernel known by its address, as kernelAddress() does: who asks a graph's
  /// node for its kernel may set its arguments.
  virtual void announce() const = 0;
};

/// SlotOf is how an argument lies among the arguments of a launch: a reference as a pointer.
template <class Type>
using SlotOf =
    std::conditional_t<std::is_reference<Type>::value, std::remove_reference_t<Type>*, Type>;
template <class Type> Type& argumentIn(void* slot, std::false_type) {
  return *static_cast<Type*>(slot);
}
template <class Type> Type argumentIn(void* slot, std::true_type) {
  return static_cast<Type>(**static_cast<SlotOf<Type>*>(slot));
}

/// isPlain tells whether copying the bytes of an argument is all that its copies need.
template <class Type>
inline constexpr bool isPlain = std::is_trivially_copy_constructible<Type>::value &&
                                std::is_trivially_destructible<Type>::value;

/// ArgumentBytes is an argument whose class has a copy constructor or destructor of its own. From
/// the launch on only its bytes count: neither runs for what a kernel gets (CUDA C++ Programming
/// Guide, '__global__ Function Argument Processing').
template <class Type> struct ArgumentBytes {
  alignas(Type) unsigned char bytes[sizeof(Type)];
  explicit ArgumentBytes(const Type& argument) {
    std::memcpy(bytes, static_cast<const void*>(__builtin_addressof(argument)), sizeof(Type));
  }
};
/// ArgumentReference is std::reference_wrapper without <functional>, which would take compilers as
/// long to read as all other headers of the runtime API.
template <class Type> class ArgumentReference {
public:
  ArgumentReference(Type& argument) : at_(__builtin_addressof(argument)) {}
  operator Type&() const { return *at_; }

private:
  Type* at_;
};
template <class Type>
using StoredArgument = std::conditional_t<
    std::is_reference<Type>::value, ArgumentReference<std::remove_reference_t<Type>>,
    std::conditional_t<isPlain<Type>, Type, ArgumentBytes<std::remove_reference_t<Type>>>>;
/// How an argument reaches a kernel that is called through its address: by value, or, as the C++
/// ABI passes such classes, by a pointer to the copy.
template <class Type>
using PassedArgument =
    std::conditional_t<isPlain<Type>, Type, ArgumentBytes<std::remove_reference_t<Type>>&>;

/// One of a call's arguments. (std::tuple would take compilers longer than the rest of a launch.)
template <std::size_t index, class Type> struct ArgumentAt {
  Type value;
};

template <class Function, class Sequence, class... Parameters> class CallWith;
template <class Function, std::size_t... Index, class... Parameters>
class CallWith<Function, std::index_sequence<Index...>, Parameters...> final
    : public KernelCall,
      private ArgumentAt<Index, StoredArgument<Parameters>>... {
public:
  template <class... Given>
  explicit CallWith(Function kernel, Given&&... arguments)
      : ArgumentAt<Index, StoredArgument<Parameters>>{StoredArgument<Parameters>(
            std::forward<Given>(arguments))}...,
        kernel_(kernel) {}
  // Each block gets fresh copies: a kernel may change its parameters.
  void runBlock() const override {
    if constexpr ((isPlain<Parameters> && ...))
      kernel_(ArgumentAt<Index, StoredArgument<Parameters>>::value...);
    else
      runWith(ArgumentAt<Index, StoredArgument<Parameters>>::value...);
  }
  KernelCall* clone() const override { return new CallWith(*this); }
  const void* kernel() const override {
    if constexpr (std::is_pointer<Function>::value)
      return reinterpret_cast<const void*>(kernel_);
    else
      return nullptr;
  }
  const void* identity() const override {
    if constexpr (std::is_empty<Function>::value)
      return &onlyOne_;
    else
      return kernel();
  }
  std::size_t argumentCount() const override { return sizeof...(Parameters); }
  void addresses([[maybe_unused]] void** out) override {
    ((out[Index] = addressOf(ArgumentAt<Index, StoredArgument<Parameters>>::value)), ...);
  }
  void announce() const override {
    if constexpr (std::is_pointer<Function>::value)
      kernelAddress(kernel_);
  }

private:
  template <class Type> static void* addressOf(Type& argument) {
    return const_cast<void*>(static_cast<const volatile void*>(__builtin_addressof(argument)));
  }
  void runWith(StoredArgument<Parameters>... copies) const {
    if constexpr (std::is_pointer<Function>::value) {
      using Passing = void (*)(PassedArgument<Parameters>...);
      reinterpret_cast<Passing>(reinterpret_cast<void*>(kernel_))(copies...);
    } else {
      kernel_(*static_cast<Parameters*>(addressOf(copies))...);
    }
  }
  static constexpr char onlyOne_ = 0;
  Function kernel_;
};
template <class Function, class... Parameters>
using TypedCall = CallWith<Function, std::index_sequence_for<Parameters...>, Parameters...>;

/// LaunchShape is an execution configuration as the runtime wants it.
struct LaunchShape {
  ::dim3 grid;
  ::dim3 block;
  std::size_t sharedBytes;
  cudaStream_t stream;
};

/// enqueueLaunch() checks the shape, queues the call on its stream and returns without waiting for
/// it. `kernel` is the kernel's address (null where unknown). The runtime owns the call from now
/// on. Errors are returned and recorded as the last error.
cudaError_t enqueueLaunch(const void* kernel, const LaunchShape& shape, KernelCall* call) noexcept;

/// ArgumentReader makes a typed call, which its caller owns, from cudaLaunchKernel's array of
/// pointers to arguments.
using ArgumentReader = KernelCall* (*)(const void* kernel, void** arguments);

/// ParameterLayout is where a kernel's parameters lie in the buffer that cuLaunchKernel() takes:
/// one behind the other, each aligned as its type wants.
struct ParameterLayout {
  std::size_t count = 0;
  const std::size_t* offset = nullptr;
  const std::size_t* bytes = nullptr;
};

template <class... Parameters> struct LayoutOf {
  struct Table {
    std::size_t offset[sizeof...(Parameters) + 1] = {};
    std::size_t bytes[sizeof...(Parameters) + 1] = {sizeof(SlotOf<Parameters>)..., 0};
    constexpr Table() {
      const std::size_t alignment[] = {alignof(SlotOf<Parameters>)..., 1};
      std::size_t at = 0;
      for (std::size_t i = 0; i < sizeof...(Parameters); ++i) {
        offset[i] = at = (at + alignment[i] - 1) / alignment[i] * alignment[i];
        at += bytes[i];
      }
    }
  };
  static constexpr Table table{};
  static ParameterLayout get() { return {sizeof...(Parameters), table.offset, table.bytes}; }
};

/// registerKernel() records how to read the arguments of the kernel at this address. May be called
/// again.
void registerKernel(const void* kernel, ArgumentReader reader,
                    const ParameterLayout& layout) noexcept;

template <class... Parameters, std::size_t... Index>
KernelCall* readArguments(const void* kernel, void** arguments, std::index_sequence<Index...>) {
  (void)arguments;
  using Function = void (*)(Parameters...);
  return new TypedCall<Function, Parameters...>(
      reinterpret_cast<Function>(const_cast<void*>(kernel)),
      argumentIn<Parameters>(arguments[Index], std::is_reference<Parameters>())...);
}

} // namespace detail

/// Launcher is a kernel with its execution configuration; calling it launches. Arguments convert to
/// the kernel's parameter types as in any call.
template <class... Parameters> class Launcher {
public:
  Launcher(void (*kernel)(Parameters...), const detail::LaunchShape& shape)
      : kernel_(kernel), shape_(shape) {}
  void operator()(Parameters... arguments) const {
    detail::enqueueLaunch(reinterpret_cast<const void*>(kernel_), shape_,
                          new detail::TypedCall<void (*)(Parameters...), Parameters...>(
                              kernel_, std::forward<Parameters>(arguments)...));
  }

private:
  void (*kernel_)(Parameters...);
  detail::LaunchShape shape_;
};

/// GenericLauncher launches a callable: a kernel template whose arguments are deduced at the
/// launch.
template <class Callable> class GenericLauncher {
public:
  GenericLauncher(Callable kernel, const detail::LaunchShape& shape)
      : kernel_(kernel), shape_(shape) {}
  template <class... Given> void operator()(Given&&... arguments) const {
    detail::enqueueLaunch(nullptr, shape_,
                          new detail::TypedCall<Callable, std::decay_t<Given>...>(
                              kernel_, std::forward<Given>(arguments)...));
  }

private:
  Callable kernel_;
  detail::LaunchShape shape_;
};

/// launch() pairs a kernel with its execution configuration: launch(kernel, grid, block,
/// sharedBytes, stream)(args...).
template <class... Parameters>
Launcher<Parameters...> launch(void (*kernel)(Parameters...), ::dim3 grid, ::dim3 block,
                               std::size_t sharedBytes = 0, cudaStream_t stream = nullptr) {
  return {kernel, {grid, block, sharedBytes, stream}};
}
template <class Callable, class = std::enable_if_t<std::is_class<Callable>::value>>
GenericLauncher<Callable> launch(Callable kernel, ::dim3 grid, ::dim3 block,
                                 std::size_t sharedBytes = 0, cudaStream_t stream = nullptr) {
  return {kernel, {grid, block, sharedBytes, stream}};
}

/// kernelAddress(kernel) is the kernel's address, known from now on to cudaLaunchKernel and its
/// kin.
template <class... Parameters>
auto kernelAddress(void (*kernel)(Parameters...)) -> void (*)(Parameters...) {
  detail::registerKernel(
      reinterpret_cast<const void*>(kernel),
      [](const void* address, void** arguments) {
        return detail::readArguments<Parameters...>(address, arguments,
                                                    std::index_sequence_for<Parameters...>{});
      },
      detail::LayoutOf<Parameters...>::get());
  return kernel;
}

namespace detail {
/// limitKernel() keeps these limits for the kernel at this address, which need not be known yet.
bool limitKernel(const void* kernel, unsigned threads, std::size_t sharedBytes,
                 ::dim3 cluster) noexcept;
} // namespace detail

/// asWritten() is the text of a launch that a macro makes (`#call`) as it was before translation:
/// `k<<<1, 32>>>(x)` for `cu2cpp::launch(k, 1, 32)(x)`. Any other text is returned as it is.
const char* asWritten(const char* text) noexcept;

/// limitKernel() tells which launches a kernel takes: with at most so many threads a block, and so
/// many bytes of shared memory are its own variables'. Its blocks come in clusters of this size; in
/// any where that is 0.
template <class... Parameters>
bool limitKernel(void (*kernel)(Parameters...), unsigned threads, std::size_t sharedBytes,
                 ::dim3 cluster = ::dim3(0, 0, 0)) {
  return detail::limitKernel(reinterpret_cast<const void*>(kernel), threads, sharedBytes, cluster);
}

/// exportKernels() makes the kernels of a module known, which are then looked up by name.
template <class... Kernel> bool exportKernels(Kernel... kernels) {
  (void)std::initializer_list<int>{(kernelAddress(kernels), 0)...};
  return true;
}

} // namespace cu2cpp

#endif
