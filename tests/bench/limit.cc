// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/limit.h"

#include <fcntl.h>
#include <libdeflate.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace rejig::bench {

namespace {

struct Item {
  std::uint32_t local, stored, size, crc;
  std::uint16_t method;
  std::string_view name;
};

unsigned le2(const std::uint8_t* p) { return p[0] | unsigned{p[1]} << 8; }
std::uint32_t le4(const std::uint8_t* p) {
  return le2(p) | std::uint32_t{le2(p + 2)} << 16;
}
unsigned be2(const std::uint8_t* p) { return unsigned{p[0]} << 8 | p[1]; }
std::uint32_t be4(const std::uint8_t* p) {
  return std::uint32_t{be2(p)} << 16 | be2(p + 2);
}

struct Jar {
  const std::uint8_t* data = nullptr;
  std::size_t size = 0;
  std::vector<Item> classes;

  explicit Jar(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat info {};
    if (fd < 0 || ::fstat(fd, &info) != 0) return;
    size = static_cast<std::size_t>(info.st_size);
    data = static_cast<const std::uint8_t*>(
        ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0));
    ::close(fd);
    std::size_t end = size - 22;
    while (le4(data + end) != 0x06054b50) --end;
    const std::uint8_t* p = data + end - le4(data + end + 12);
    while (le4(p) == 0x02014b50) {
      const unsigned n = le2(p + 28);
      if (n > 6 && std::memcmp(p + 46 + n - 6, ".class", 6) == 0) {
        classes.push_back({le4(p + 42), le4(p + 20), le4(p + 24), le4(p + 16),
                           static_cast<std::uint16_t>(le2(p + 10)),
                           {reinterpret_cast<const char*>(p) + 46, n}});
      }
      p += 46 + n + le2(p + 30) + le2(p + 32);
    }
  }
  ~Jar() { ::munmap(const_cast<std::uint8_t*>(data), size); }

  const std::uint8_t* stored(const Item& item) const {
    const std::uint8_t* p = data + item.local;
    return p + 30 + le2(p + 26) + le2(p + 28);
  }
};

// Length of each instruction; 0: wide and the switches.
constexpr char kLengths[] =
    "1111111111111111"
    "2323322222111111"
    "1111111111111111"
    "1111112222211111"
    "1111111111111111"
    "1111111111111111"
    "1111111111111111"
    "1111111111111111"
    "1111311111111111"
    "1111111113333333"
    "3333333332001111"
    "1133333335532311"
    "3311043355111111"
    "1111111111111111"
    "1111111111111111"
    "1111111111111111";

void walk_code(const std::uint8_t* code, std::uint32_t length,
               LimitAnswer& answer) {
  std::uint32_t pc = 0;
  while (pc < length) {
    const unsigned op = code[pc];
    const auto fixed = static_cast<std::uint32_t>(kLengths[op] - '0');
    if (fixed != 0) {
      pc += fixed;
    } else if (op == 0xc4) {
      pc += code[pc + 1] == 0x84 ? 6 : 4;
    } else {
      const std::uint32_t at = (pc + 4) & ~std::uint32_t{3};
      pc = op == 0xaa
               ? at + 12 + 4 * (be4(code + at + 8) - be4(code + at + 4) + 1)
               : at + 8 + 8 * be4(code + at + 4);
    }
    ++answer.instructions;
  }
}

void walk_class(const std::uint8_t* p, LimitAnswer& answer) {
  const unsigned count = be2(p + 8);
  std::vector<const std::uint8_t*> pool(count);
  p += 10;
  for (unsigned i = 1; i < count; ++i) {
    pool[i] = p;
    switch (*p) {
      case 1:
        p += 3 + be2(p + 1);
        break;
      case 5:
      case 6:
        p += 9;
        ++i;
        break;
      case 7:
      case 8:
      case 16:
      case 19:
      case 20:
        p += 3;
        break;
      case 15:
        p += 4;
        break;
      default:
        p += 5;
    }
  }
  p += 6;
  p += 2 + 2 * be2(p);
  for (int methods = 0; methods < 2; ++methods) {
    unsigned members = be2(p);
    p += 2;
    if (methods == 1) answer.methods += members;
    for (; members != 0; --members) {
      unsigned attributes = be2(p + 6);
      p += 8;
      for (; attributes != 0; --attributes) {
        const std::uint8_t* const name = pool[be2(p)];
        if (methods == 1 && be2(name + 1) == 4 &&
            std::memcmp(name + 3, "Code", 4) == 0) {
          walk_code(p + 14, be4(p + 10), answer);
        }
        p += 6 + be4(p + 2);
      }
    }
  }
}

// body(item, answer, buffer) for every class, 64 classes at a time.
template <class Body>
LimitAnswer for_classes(const Jar& jar, unsigned threads, Body body) {
  std::atomic<std::size_t> next{0};
  std::vector<LimitAnswer> answers(threads);
  const auto work = [&](unsigned worker) {
    LimitAnswer mine;
    constexpr std::size_t kStep = 64;
    while (true) {
      const std::size_t from = next.fetch_add(kStep);
      if (from >= jar.classes.size()) break;
      for (std::size_t i = from; i < std::min(from + kStep, jar.classes.size());
           ++i) {
        body(i, mine);
      }
    }
    answers[worker] = mine;
  };
  std::vector<std::jthread> others;
  for (unsigned w = 1; w < threads; ++w) others.emplace_back(work, w);
  work(0);
  others.clear();
  LimitAnswer all;
  for (const LimitAnswer& one : answers) {
    all.classes += one.classes;
    all.bytes += one.bytes;
    all.stored_bytes += one.stored_bytes;
    all.methods += one.methods;
    all.instructions += one.instructions;
  }
  return all;
}

LimitAnswer read(const Jar& jar, unsigned threads, bool walk) {
  return for_classes(jar, threads, [&](std::size_t i, LimitAnswer& answer) {
    thread_local libdeflate_decompressor* const d =
        libdeflate_alloc_decompressor();
    thread_local std::vector<std::uint8_t> buffer;
    const Item& item = jar.classes[i];
    const std::uint8_t* bytes = jar.stored(item);
    if (item.method == 8) {
      if (buffer.size() < item.size) buffer.resize(2 * item.size);
      libdeflate_deflate_decompress(d, bytes, item.stored, buffer.data(),
                                    item.size, nullptr);
      bytes = buffer.data();
    }
    ++answer.classes;
    answer.bytes += item.size;
    answer.stored_bytes += item.stored;
    if (walk) walk_class(bytes, answer);
  });
}

}  // namespace

LimitAnswer limit_inflate(const std::string& jar, unsigned threads) {
  return read(Jar(jar), threads, false);
}
LimitAnswer limit_walk(const std::string& jar, unsigned threads) {
  return read(Jar(jar), threads, true);
}

LimitAnswer limit_walk_distinct(const std::string& one, const std::string& two,
                                unsigned threads) {
  const Jar a(one);
  Jar b(two);
  std::unordered_map<std::string_view, const Item*> by_name;
  for (const Item& item : a.classes) by_name[item.name] = &item;
  std::erase_if(b.classes, [&](const Item& item) {
    const auto at = by_name.find(item.name);
    return at != by_name.end() && at->second->crc == item.crc &&
           at->second->stored == item.stored &&
           std::memcmp(a.stored(*at->second), b.stored(item), item.stored) == 0;
  });
  LimitAnswer all = read(a, threads, true);
  const LimitAnswer more = read(b, threads, true);
  all.classes += more.classes;
  all.bytes += more.bytes;
  all.stored_bytes += more.stored_bytes;
  all.methods += more.methods;
  all.instructions += more.instructions;
  return all;
}

std::uint64_t limit_compare(const std::string& one, const std::string& two,
                            unsigned threads) {
  const Jar a(one);
  const Jar b(two);
  return for_classes(a, threads,
                     [&](std::size_t i, LimitAnswer& answer) {
                       const Item& item = a.classes[i];
                       if (std::memcmp(a.stored(item), b.stored(b.classes[i]),
                                       item.stored) == 0) {
                         answer.bytes += item.stored;
                       }
                     })
      .bytes;
}

LimitAnswer limit_hash(const std::string& path, unsigned threads) {
  const Jar jar(path);
  return for_classes(jar, threads, [&](std::size_t i, LimitAnswer& answer) {
    const Item& item = jar.classes[i];
    const XXH128_hash_t hash = XXH3_128bits(jar.stored(item), item.stored);
    ++answer.classes;
    answer.stored_bytes += item.stored + (hash.low64 == 0 ? 1 : 0);
  });
}

}  // namespace rejig::bench
