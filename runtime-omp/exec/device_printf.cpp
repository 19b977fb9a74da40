// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What translated files call as printf() (cu2cpp/device/printf.h). The text goes to the same stdout
// as the host's and is written at once: it is there at the latest when the host has waited for the
// kernel, as CUDA promises.
//
// A GPU prints differently from the C library in two ways: the result counts arguments, and from a
// length or precision that it does not know on (%zu, %.*f) the format is plain text, as are single
// conversions that it does not know (%k).
//
// CUDA C++ Programming Guide, 'Formatted Output'.
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>

#include <cu2cpp/block.h>

namespace {

/// Conversion is one `%` of a format: its text, and what it takes.
struct Conversion {
  const char* begin = nullptr;
  const char* end = nullptr; // behind the letter
  int stars = 0;             // arguments for width and precision
  bool precisionStar = false;
  std::string length; // "", "h", "hh", "l", "ll", "z", ...
  char letter = 0;    // 0: the format ends before it

  /// takesNothing() is true for %%.
  bool takesNothing() const { return letter == '%' && end == begin + 2; }
  bool takesNumber() const { return letter && std::strchr("aAeEfFgG", letter); }
  bool takesInteger() const { return letter && std::strchr("cdiouxX", letter); }
  bool takesPointer() const { return letter && std::strchr("sp", letter); }
};

Conversion conversionAt(const char* percent) {
  Conversion found;
  found.begin = percent;
  found.end = percent + 1;
  bool behindPoint = false;
  for (; *found.end && std::strchr("-+ #0123456789.*", *found.end); ++found.end) {
    behindPoint |= *found.end == '.';
    if (*found.end == '*') {
      ++found.stars;
      found.precisionStar |= behindPoint;
    }
  }
  for (; *found.end && std::strchr("hljztLq", *found.end); ++found.end)
    found.length += *found.end;
  found.letter = *found.end;
  if (found.letter)
    ++found.end;
  return found;
}

/// Whether a GPU prints the conversion. It knows the C library's lengths h, hh, l and ll alone.
bool knownToGpu(const Conversion& found) {
  if (found.takesNothing())
    return true;
  return !found.precisionStar && found.length.find_first_of("jztLq") == std::string::npos &&
         (found.takesNumber() || found.takesInteger() || found.takesPointer());
}

// va_list may be an array, which can't be passed by reference.
struct Arguments {
  va_list list;
};

/// plainText() is true for what a GPU prints as it stands and goes on behind: `%k`, `%'d`, `%5%`. A
/// length or precision that it does not know ends all conversions.
bool plainText(const Conversion& found) {
  return found.letter && !found.takesNothing() && found.length.empty() && !found.precisionStar &&
         !found.takesNumber() && !found.takesInteger() && !found.takesPointer();
}

/// argumentsOf() counts what a format takes: one for each conversion that a GPU knows except %%,
/// and one for each `*`.
int argumentsOf(const char* format) {
  int count = 0;
  for (const char* at = std::strchr(format, '%'); at; at = std::strchr(at, '%')) {
    const Conversion found = conversionAt(at);
    at = found.end;
    if (plainText(found))
      continue;
    if (!knownToGpu(found))
      break;
    count += found.stars + !found.takesNothing();
  }
  return count;
}

/// needsPieces() is true if the C library would print the format in another way than a GPU.
bool needsPieces(const char* format) {
  for (const char* at = std::strchr(format, '%'); at; at = std::strchr(at, '%')) {
    const Conversion found = conversionAt(at);
    if (!knownToGpu(found))
      return true;
    at = found.end;
  }
  return false;
}

/// printPieces() prints conversion by conversion and returns the number of characters.
int printPieces(const char* format, va_list given) {
  Arguments arguments;
  va_copy(arguments.list, given);
  int written = 0;
  const auto count = [&](int characters) { written += characters > 0 ? characters : 0; };
  flockfile(stdout);
  const char* at = format;
  for (;;) {
    const char* percent = std::strchr(at, '%');
    const Conversion found = percent ? conversionAt(percent) : Conversion{};
    if (percent && plainText(found)) {
      count(std::printf("%.*s", int(found.end - at), at));
      at = found.end;
      continue;
    }
    if (!percent || !knownToGpu(found)) {
      count(std::printf("%s", at));
      break;
    }
    count(std::printf("%.*s", int(percent - at), at));
    at = found.end;
    std::string piece(found.begin, found.end);
    for (int star = 0; star < found.stars; ++star) {
      const int value = va_arg(arguments.list, int);
      const std::size_t place = piece.find('*');
      const bool noPrecision = value < 0 && piece[place - 1] == '.';
      if (noPrecision)
        piece.erase(place - 1, 2);
      else
        piece.replace(place, 1, std::to_string(value));
    }
    if (found.takesNothing()) {
      count(std::printf("%%"));
    } else if (found.takesNumber()) {
      count(std::printf(piece.c_str(), va_arg(arguments.list, double)));
    } else if (found.takesInteger() && (found.length.empty() || found.length[0] == 'h')) {
      count(std::printf(piece.c_str(), va_arg(arguments.list, int)));
    } else if (found.takesInteger()) {
      count(std::printf(piece.c_str(), va_arg(arguments.list, long long)));
    } else {
      count(std::printf(piece.c_str(), va_arg(arguments.list, void*)));
    }
  }
  funlockfile(stdout);
  va_end(arguments.list);
  return written;
}

} // namespace

extern "C" int cu2cppPrintf(const char* format, ...) {
  const bool inKernel = cu2cpp::onDevice();
  if (inKernel && !format)
    return -1;
  va_list arguments;
  va_start(arguments, format);
  const int written = inKernel && needsPieces(format) ? printPieces(format, arguments)
                                                      : std::vprintf(format, arguments);
  va_end(arguments);
  if (!inKernel)
    return written;
  return written < 0 ? -2 : argumentsOf(format);
}
