// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/code_tables.h"

namespace rejig::agent {
namespace {

constexpr unsigned kSameLocals = 64;
constexpr unsigned kSameLocalsExtended = 247;
constexpr unsigned kChop = 248;
constexpr unsigned kSameExtended = 251;
constexpr unsigned kFull = 255;
constexpr unsigned kUninitialized = 8;
constexpr unsigned kObject = 7;
constexpr int kAnnotationDepth = 100;

bool move_types(ByteReader& in, unsigned n, unsigned by, Buffer& out) {
  for (unsigned i = 0; i < n && !in.failed(); ++i) {
    const unsigned tag = in.u1();
    out.u1(tag);
    if (tag == kUninitialized) {
      const unsigned at = in.u2() + by;
      if (at > 0xffff) return false;
      out.u2(at);
    } else if (tag == kObject) {
      out.u2(in.u2());
    } else if (tag > kUninitialized) {
      return false;
    }
  }
  return !in.failed();
}

// start and length of a local variable; one that lives from the first
// instruction on (a parameter) lives in the prefix as well.
bool move_range(ByteReader& in, unsigned by, Buffer& out) {
  const unsigned start = in.u2();
  const unsigned length = in.u2();
  if (start + by > 0xffff || length + by > 0xffff) return false;
  out.u2(start == 0 ? 0 : start + by);
  out.u2(start == 0 ? length + by : length);
  return true;
}

// Copies what the cursor passes over while f runs.
template <class F>
bool copying(ByteReader& in, Bytes all, Buffer& out, F f) {
  const std::size_t from = in.pos();
  if (!f() || in.failed()) return false;
  out.bytes(all.subspan(from, in.pos() - from));
  return true;
}

bool skip_annotation(ByteReader& in, int depth);

bool skip_element(ByteReader& in, int depth) {
  if (depth == 0) return false;
  switch (in.u1()) {
    case 'B': case 'C': case 'D': case 'F': case 'I': case 'J': case 'S':
    case 'Z': case 's': case 'c':
      in.skip(2);
      return true;
    case 'e':
      in.skip(4);
      return true;
    case '@':
      return skip_annotation(in, depth - 1);
    case '[': {
      const unsigned n = in.u2();
      for (unsigned i = 0; i < n && !in.failed(); ++i) {
        if (!skip_element(in, depth - 1)) return false;
      }
      return true;
    }
    default:
      return false;
  }
}

bool skip_annotation(ByteReader& in, int depth) {
  in.skip(2);
  const unsigned n = in.u2();
  for (unsigned i = 0; i < n && !in.failed(); ++i) {
    in.skip(2);
    if (!skip_element(in, depth)) return false;
  }
  return !in.failed();
}

}  // namespace

bool move_line_numbers(ByteReader in, unsigned by, Buffer& out) {
  const unsigned n = in.u2();
  out.u2(n);
  for (unsigned i = 0; i < n; ++i) {
    // The first line owns the prefix too: no pc is without a line.
    const unsigned pc = in.u2();
    if (pc + by > 0xffff) return false;
    out.u2(pc == 0 ? 0 : pc + by);
    out.u2(in.u2());
  }
  return !in.failed() && in.at_end();
}

bool move_local_variables(ByteReader in, unsigned by, Buffer& out) {
  const unsigned n = in.u2();
  out.u2(n);
  for (unsigned i = 0; i < n; ++i) {
    if (!move_range(in, by, out)) return false;
    out.bytes(in.bytes(6));
  }
  return !in.failed() && in.at_end();
}

bool move_frames(ByteReader in, unsigned by, Buffer& out) {
  const unsigned n = in.u2();
  out.u2(n);
  for (unsigned i = 0; i < n; ++i) {
    const unsigned add = i == 0 ? by : 0;
    const unsigned tag = in.u1();
    if (tag < kSameLocals) {
      if (tag + add < kSameLocals) {
        out.u1(tag + add);
      } else {
        out.u1(kSameExtended);
        out.u2(tag + add);
      }
    } else if (tag < 2 * kSameLocals) {
      if (tag + add < 2 * kSameLocals) {
        out.u1(tag + add);
      } else {
        out.u1(kSameLocalsExtended);
        out.u2(tag - kSameLocals + add);
      }
      if (!move_types(in, 1, by, out)) return false;
    } else if (tag < kSameLocalsExtended) {
      return false;
    } else {
      const unsigned delta = in.u2() + add;
      if (delta > 0xffff) return false;
      out.u1(tag);
      out.u2(delta);
      if (tag == kSameLocalsExtended) {
        if (!move_types(in, 1, by, out)) return false;
      } else if (tag == kFull) {
        for (int part = 0; part < 2; ++part) {
          const unsigned count = in.u2();
          out.u2(count);
          if (!move_types(in, count, by, out)) return false;
        }
      } else if (tag > kSameExtended) {
        if (!move_types(in, tag - kSameExtended, by, out)) return false;
      } else if (tag < kChop) {
        return false;
      }
    }
    if (in.failed()) return false;
  }
  return !in.failed() && in.at_end();
}

bool move_type_annotations(ByteReader in, unsigned by, Buffer& out) {
  const Bytes all = [&] {
    ByteReader whole = in;
    return whole.bytes(whole.remaining());
  }();
  const unsigned n = in.u2();
  out.u2(n);
  for (unsigned i = 0; i < n; ++i) {
    const unsigned target = in.u1();
    out.u1(target);
    if (target == 0x40 || target == 0x41) {
      const unsigned rows = in.u2();
      out.u2(rows);
      for (unsigned r = 0; r < rows && !in.failed(); ++r) {
        if (!move_range(in, by, out)) return false;
        out.u2(in.u2());
      }
    } else if (target == 0x42) {
      out.u2(in.u2());
    } else if (target >= 0x43 && target <= 0x4b) {
      const unsigned at = in.u2() + by;
      if (at > 0xffff) return false;
      out.u2(at);
      if (target >= 0x47) out.u1(in.u1());
    } else {
      return false;
    }
    const bool rest = copying(in, all, out, [&] {
      in.skip(std::size_t{2} * in.u1());
      return skip_annotation(in, kAnnotationDepth);
    });
    if (!rest) return false;
  }
  return !in.failed() && in.at_end();
}

}  // namespace rejig::agent
