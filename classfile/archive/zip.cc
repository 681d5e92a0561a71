// SPDX-License-Identifier: Apache-2.0
// The end record is looked for from behind, as java.util.zip does; then the
// directory is read entry by entry, every field against the file's size before it
// is used. What the JVM would refuse is noted and not repaired: whether it matters
// is for who compares.
#include "classfile/archive/zip.h"

#include <algorithm>
#include <cstring>

namespace rejig::classfile {

namespace {

using base::ByteReader;
using base::Bytes;
using base::Errc;
using base::Error;

constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kCentralSignature = 0x02014b50;
constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kEnd64Signature = 0x06064b50;
constexpr std::uint32_t kLocator64Signature = 0x07064b50;
constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kLocator64Size = 20;
// The longest comment has 65535 bytes; java.util.zip reads blocks of 128 bytes
// that overlap by 22, and so looks at 79 bytes more.
constexpr std::size_t kSearched = 0xffff + 79;
constexpr std::uint32_t kMagic32 = 0xffffffff;
constexpr std::uint16_t kMagic16 = 0xffff;
constexpr std::uint16_t kZip64Extra = 1;

std::uint16_t le2(ByteReader& in) {
  const std::uint16_t v = in.u2();
  return static_cast<std::uint16_t>(v << 8 | v >> 8);
}
std::uint32_t le4(ByteReader& in) { return __builtin_bswap32(in.u4()); }
std::uint64_t le8(ByteReader& in) { return __builtin_bswap64(in.u8()); }

ByteReader reader_at(Bytes file, std::uint64_t at) {
  ByteReader in(file);
  if (at > file.size()) {
    in.fail();
  } else {
    in.seek(static_cast<std::size_t>(at));
  }
  return in;
}

std::string hex(std::uint64_t v) {
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[v & 15]);
    v >>= 4;
  } while (v != 0);
  return "0x" + digits;
}

bool has_signature(Bytes file, std::uint64_t at, std::uint32_t signature) {
  ByteReader in = reader_at(file, at);
  return le4(in) == signature && !in.failed();
}

struct End {
  std::uint64_t at = 0;  // end of the directory
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
  bool comment_cut = false;
  bool found_elsewhere = false;  // not where its locator says
};

// The zip64 end record counts only when the old one agrees with it or says that
// it cannot.
void read_end64(Bytes file, std::uint64_t end_at, End& end) {
  if (end_at < kLocator64Size) return;
  ByteReader locator = reader_at(file, end_at - kLocator64Size);
  if (le4(locator) != kLocator64Signature) return;
  locator.skip(4);
  // With bytes before the archive the offset is too small by them; then the
  // record directly before the locator is meant.
  const std::uint64_t said = le8(locator);
  for (const std::uint64_t at :
       {said,
        end_at - kLocator64Size -
            std::min<std::uint64_t>(56, end_at - kLocator64Size)}) {
    ByteReader in = reader_at(file, at);
    if (le4(in) != kEnd64Signature) continue;
    in.skip(28);
    const std::uint64_t count = le8(in);
    const std::uint64_t size = le8(in);
    const std::uint64_t offset = le8(in);
    if (in.failed()) continue;
    if ((size != end.size && end.size != kMagic32) ||
        (offset != end.offset && end.offset != kMagic32) ||
        (count != end.count && end.count != kMagic16)) {
      return;
    }
    end = End{at, size, offset, count, end.comment_cut, at != said};
    return;
  }
}

bool find_end(Bytes file, End& end) {
  if (file.size() < kEndSize) return false;
  const std::size_t last = file.size() - kEndSize;
  const std::size_t first = last - std::min(last, kSearched);
  for (std::size_t at = last + 1; at-- > first;) {
    if (file[at] != std::byte{'P'} || !has_signature(file, at, kEndSignature)) {
      continue;
    }
    ByteReader in = reader_at(file, at + 4);
    in.skip(6);
    end.at = at;
    end.count = le2(in);
    end.size = le4(in);
    end.offset = le4(in);
    const std::uint64_t comment_end = at + kEndSize + le2(in);
    if (comment_end != file.size()) {
      // Bytes behind the archive: believed when directory and first local
      // header are where the record says.
      if (end.size > at || end.offset > at - end.size ||
          !has_signature(file, at - end.size, kCentralSignature) ||
          !has_signature(file, at - end.size - end.offset, kLocalSignature)) {
        continue;
      }
    }
    end.comment_cut = comment_end > file.size();
    read_end64(file, at, end);
    return true;
  }
  return false;
}

}  // namespace

bool is_utf8(std::string_view text) {
  std::uint64_t any = 0;  // eight bytes at a time: nearly all names are ASCII
  std::size_t at = 0;
  for (; at + sizeof any <= text.size(); at += sizeof any) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    any |= word;
  }
  for (; at < text.size(); ++at) any |= static_cast<unsigned char>(text[at]);
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  if ((any & kHighBits) == 0) return true;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte_at = [&](std::size_t k) {
      return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
    };
    const unsigned lead = byte_at(i);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const std::size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if (lead < 0xc2 || lead > 0xf4) return false;
    for (std::size_t k = 1; k <= more; ++k) {
      if ((byte_at(i + k) & 0xc0) != 0x80) return false;
    }
    const unsigned second = byte_at(i + 1);
    if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
        (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f)) {
      return false;
    }
    i += more + 1;
  }
  return true;
}

bool ZipDirectory::looks_like_zip(Bytes file) {
  End end;
  return find_end(file, end);
}

base::Result<ZipDirectory> ZipDirectory::find(Bytes file,
                                              const std::string& where) {
  End end;
  if (!find_end(file, end)) {
    return Error{
        Errc::kMalformed,
        "no zip end record in the last " +
            std::to_string(std::min(file.size(), kEndSize + kSearched)) +
            " of " + std::to_string(file.size()) + " bytes",
        where};
  }
  ZipDirectory out;
  out.where_ = where;
  if (end.at == 0) return out;  // nothing but an end record
  if (end.size > end.at || end.offset > end.at - end.size) {
    return Error{Errc::kMalformed,
                 "zip directory of " + std::to_string(end.size) +
                     " bytes at offset " + std::to_string(end.offset) +
                     " does not fit before its end record at " +
                     std::to_string(end.at),
                 where + " @" + hex(end.at)};
  }
  out.at_ = end.at - end.size;
  out.base_ = out.at_ - end.offset;
  out.directory_ = file.subspan(static_cast<std::size_t>(out.at_),
                                static_cast<std::size_t>(end.size));
  if (end.comment_cut) out.refuse("its comment is cut off");
  if (end.found_elsewhere) {
    out.refuse_by_some("its zip64 end record is not where its locator says");
  }
  // Ignored by JDK 17 until 17.0.15 at least, refused from 17.0.21 on.
  if (end.count > end.size / kCentralSize) {
    out.refuse_by_some("its end record counts more entries than there are");
  }
  out.likely_entries_ = std::min(end.count, end.size / kCentralSize);
  return out;
}

void ZipDirectory::refuse(std::string why) {
  if (refused_.empty()) refused_ = std::move(why);
}

void ZipDirectory::refuse_by_some(std::string why) {
  if (refused_by_some_.empty()) refused_by_some_ = std::move(why);
}

void ZipDirectory::read_zip64(Bytes extra, std::uint16_t disk,
                              ZipRecord& record) {
  // Later releases want just the values that the entry cannot hold itself.
  const std::size_t wanted =
      8U * ((record.size == kMagic32 ? 1U : 0U) +
            (record.stored_size == kMagic32 ? 1U : 0U) +
            (record.local == kMagic32 ? 1U : 0U)) +
      (disk == kMagic16 ? 4U : 0U);
  ByteReader in(extra);
  while (in.remaining() >= 4) {
    const std::uint16_t id = le2(in);
    const std::uint16_t length = le2(in);
    ByteReader field = in.sub(length);
    if (field.failed()) {
      refuse("an extra field of its directory is cut off");
      return;
    }
    if (id == kZip64Extra && length != wanted) {
      refuse_by_some("a zip64 field of its directory has an odd size");
    }
    if (id != kZip64Extra || length == 0) continue;
    for (std::uint64_t* value :
         {&record.size, &record.stored_size, &record.local}) {
      if (*value != kMagic32) continue;
      const std::uint64_t wide = le8(field);
      if (field.failed()) {
        refuse("a zip64 field of its directory is too short");
        return;
      }
      *value = wide;
      if ((wide >> 63) != 0) {
        refuse_by_some("a zip64 field of its directory has an odd value");
      }
    }
  }
}

bool ZipDirectory::next(ZipRecord& out) {
  if (broken_) return false;
  const std::size_t left = directory_.size() - pos_;
  if (left < kCentralSize) {
    if (left != 0) {
      refuse("its directory ends " + std::to_string(left) +
             " bytes after its last entry");
    }
    return false;
  }
  ByteReader in(directory_.subspan(pos_));
  const std::uint32_t signature = le4(in);
  if (signature != kCentralSignature) {
    broken_ = Error{Errc::kMalformed,
                    "found " + hex(signature) + " where a directory entry (" +
                        hex(kCentralSignature) + ") must begin",
                    where_ + " @" + hex(at_ + pos_)};
    return false;
  }
  in.skip(4);
  out.flags = le2(in);
  out.method = le2(in);
  in.skip(4);
  out.crc = le4(in);
  out.stored_size = le4(in);
  out.size = le4(in);
  const std::uint16_t name_length = le2(in);
  const std::uint16_t extra_length = le2(in);
  const std::uint16_t comment_length = le2(in);
  const std::uint16_t disk = le2(in);
  in.skip(6);
  out.local = le4(in);
  const Bytes name = in.bytes(name_length);
  const Bytes extra = in.bytes(extra_length);
  in.skip(comment_length);
  if (in.failed()) {
    broken_ = Error{Errc::kMalformed,
                    "directory entry of " +
                        std::to_string(kCentralSize + name_length +
                                       extra_length + comment_length) +
                        " bytes where " + std::to_string(left) + " are left",
                    where_ + " @" + hex(at_ + pos_)};
    return false;
  }
  out.name =
      std::string_view(reinterpret_cast<const char*>(name.data()), name.size());
  if (extra_length != 0) read_zip64(extra, disk, out);
  const auto quoted = [&] {
    return "entry \"" + std::string(out.name) + "\" ";
  };
  if ((out.flags & kZipEncrypted) != 0) refuse(quoted() + "is encrypted");
  if (out.method != kZipStored && out.method != kZipDeflated) {
    refuse(quoted() + "has compression method " + std::to_string(out.method));
  }
  if (!is_utf8(out.name)) refuse("the name of " + quoted() + "is not UTF-8");
  pos_ += in.pos();
  return true;
}

base::Result<Bytes> zip_stored_bytes(Bytes file, std::uint64_t archive_base,
                                     std::uint64_t local,
                                     std::uint64_t stored_size) {
  const std::uint64_t at = archive_base + local;
  const auto error = [&](std::string what) {
    return Error{Errc::kMalformed, std::move(what), "@" + hex(at)};
  };
  if (local > file.size() || at > file.size() ||
      file.size() - at < kZipLocalSize) {
    return error("local header lies outside the " +
                 std::to_string(file.size()) + " bytes of the archive");
  }
  ByteReader in = reader_at(file, at);
  const std::uint32_t signature = le4(in);
  if (signature != kLocalSignature) {
    return error("found " + hex(signature) + " where a local header (" +
                 hex(kLocalSignature) + ") must begin");
  }
  in.skip(22);
  const std::uint32_t name_length = le2(in);
  const std::uint32_t extra_length = le2(in);
  in.skip(name_length);
  in.skip(extra_length);
  if (in.failed() || stored_size > in.remaining()) {
    return error("entry of " + std::to_string(stored_size) +
                 " stored bytes does not fit into the " +
                 std::to_string(file.size()) + " bytes of the archive");
  }
  return in.bytes(static_cast<std::size_t>(stored_size));
}

}  // namespace rejig::classfile
