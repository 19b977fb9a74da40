// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX: names and ranges, which CU2CPP_PROFILE and CU2CPP_TRACE show. Without these, and for what
// they don't show, functions do nothing, as on a GPU where no profiler is attached. For C and C++.
//
// NVTX Library, 'Markers and Ranges', with the return values that its functions have when no tool
// is there.
#ifndef CU2CPP_NVTOOLSEXT_H
#define CU2CPP_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_NO_PUSH_POP_TRACKING (-2)

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

#ifdef __cplusplus
extern "C" {
#endif
/* In the runtime. A push gives the depth of the new range, a pop that of the one that it ended. */
int cu2cppRangePush(const char* name);
int cu2cppRangePop(void);
uint64_t cu2cppRangeStart(const char* name);
void cu2cppRangeEnd(uint64_t id);
void cu2cppMark(const char* name);
#ifdef __cplusplus
}
#endif

/* A registered string is its text. */
static inline const char* cu2cppMessageOf(const nvtxEventAttributes_t* attributes) {
  if (!attributes || attributes->messageType == NVTX_MESSAGE_TYPE_UNICODE ||
      attributes->messageType == NVTX_MESSAGE_UNKNOWN)
    return NULL;
  return attributes->message.ascii;
}

#define CU2CPP_NVTX(result, name, parameters, ...)                                                 \
  static inline result name parameters { __VA_ARGS__; }
#define CU2CPP_P(type, name) type name __attribute__((unused))
#define CU2CPP_ATTRIBUTES CU2CPP_P(const nvtxEventAttributes_t*, attributes)
#define CU2CPP_DOMAIN CU2CPP_P(nvtxDomainHandle_t, domain)
CU2CPP_NVTX(void, nvtxMarkA, (const char* message), cu2cppMark(message))
CU2CPP_NVTX(void, nvtxMarkEx, (CU2CPP_ATTRIBUTES), cu2cppMark(cu2cppMessageOf(attributes)))
CU2CPP_NVTX(int, nvtxRangePushA, (const char* message), return cu2cppRangePush(message))
CU2CPP_NVTX(int, nvtxRangePushEx, (CU2CPP_ATTRIBUTES),
            return cu2cppRangePush(cu2cppMessageOf(attributes)))
CU2CPP_NVTX(int, nvtxRangePop, (void), return cu2cppRangePop())
CU2CPP_NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char* message), return cu2cppRangeStart(message))
CU2CPP_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (CU2CPP_ATTRIBUTES),
            return cu2cppRangeStart(cu2cppMessageOf(attributes)))
CU2CPP_NVTX(void, nvtxRangeEnd, (nvtxRangeId_t id), cu2cppRangeEnd(id))
CU2CPP_NVTX(void, nvtxNameOsThreadA, (CU2CPP_P(uint32_t, thread), CU2CPP_P(const char*, name)), )
CU2CPP_NVTX(void, nvtxNameCategoryA, (CU2CPP_P(uint32_t, category), CU2CPP_P(const char*, name)), )
CU2CPP_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (CU2CPP_P(const char*, name)), return NULL)
CU2CPP_NVTX(void, nvtxDomainDestroy, (CU2CPP_DOMAIN), )
CU2CPP_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA, (CU2CPP_DOMAIN, const char* text),
            return (nvtxStringHandle_t)text)
CU2CPP_NVTX(void, nvtxDomainMarkEx, (CU2CPP_DOMAIN, CU2CPP_ATTRIBUTES),
            cu2cppMark(cu2cppMessageOf(attributes)))
CU2CPP_NVTX(int, nvtxDomainRangePushEx, (CU2CPP_DOMAIN, CU2CPP_ATTRIBUTES),
            return cu2cppRangePush(cu2cppMessageOf(attributes)))
CU2CPP_NVTX(int, nvtxDomainRangePop, (CU2CPP_DOMAIN), return cu2cppRangePop())
CU2CPP_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx, (CU2CPP_DOMAIN, CU2CPP_ATTRIBUTES),
            return cu2cppRangeStart(cu2cppMessageOf(attributes)))
CU2CPP_NVTX(void, nvtxDomainRangeEnd, (CU2CPP_DOMAIN, nvtxRangeId_t id), cu2cppRangeEnd(id))
#undef CU2CPP_DOMAIN
#undef CU2CPP_ATTRIBUTES

#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA

#endif
