// SPDX-License-Identifier: Apache-2.0
#include "coverage/remote/http_transport.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <utility>

#include "coverage/remote/curl_library.h"
#include "coverage/remote/listing_page.h"
#include "coverage/remote/s3_sign.h"

namespace rejig::coverage {

using base::Errc;
using base::Error;
using base::Result;

namespace {

constexpr std::size_t kMostPage = std::size_t{16} << 20U;
constexpr std::size_t kMostAtOnce = 16;

// Whoever comes here has it.
const CurlLibrary& curl() { return *curl_library(); }

struct Asked {
  std::string method = "GET";
  std::string url;
  std::string body;
  std::vector<std::string> headers;
};

struct Answered {
  long status = 0;
  std::string body;
};

class Call {
 public:
  Call(const Asked& asked, std::size_t limit, bool redirects)
      : asked_(asked), limit_(limit), easy_(curl().easy_init()) {
    if (easy_ == nullptr) return;
    set(CURLOPT_URL, asked.url.c_str());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_USERAGENT, "rejig");
    set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, redirects ? 1L : 0L);
    set(CURLOPT_MAXREDIRS, 3L);
    set(CURLOPT_PRIVATE, this);
    set(CURLOPT_WRITEFUNCTION, &Call::take);
    set(CURLOPT_WRITEDATA, this);
    for (const auto& header : asked.headers) {
      list_ = curl().slist_append(list_, header.c_str());
    }
    // No question whether it may go on: one round less, and some servers never
    // answer it.
    list_ = curl().slist_append(list_, "Expect:");
    set(CURLOPT_HTTPHEADER, list_);
    if (asked.method == "PUT") {
      set(CURLOPT_UPLOAD, 1L);
      set(CURLOPT_INFILESIZE_LARGE,
          static_cast<curl_off_t>(asked.body.size()));
      set(CURLOPT_READFUNCTION, &Call::give);
      set(CURLOPT_READDATA, this);
    } else if (asked.method != "GET") {
      set(CURLOPT_CUSTOMREQUEST, asked.method.c_str());
    }
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    if (easy_ != nullptr) curl().easy_cleanup(easy_);
    curl().slist_free_all(list_);
  }

  CURL* easy() const { return easy_; }
  void end(CURLcode code) {
    code_ = code;
    done_ = true;
  }

  Result<Answered> answer() {
    if (!done_) return Error{Errc::kIo, "it took too long", asked_.url};
    if (too_large_) {
      return Error{Errc::kLimit,
                   "more than " + std::to_string(limit_) + " bytes",
                   asked_.url};
    }
    if (code_ != CURLE_OK) {
      return Error{Errc::kIo, curl().easy_strerror(code_), asked_.url};
    }
    Answered out;
    curl().easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &out.status);
    out.body = std::move(body_);
    return out;
  }

 private:
  template <class T>
  void set(CURLoption option, T value) {
    curl().easy_setopt(easy_, option, value);
  }

  static std::size_t take(char* bytes, std::size_t one, std::size_t n,
                          void* self) {
    auto& call = *static_cast<Call*>(self);
    if (call.body_.size() + one * n > call.limit_) {
      call.too_large_ = true;
      return 0;
    }
    call.body_.append(bytes, one * n);
    return one * n;
  }

  static std::size_t give(char* to, std::size_t one, std::size_t n,
                          void* self) {
    auto& call = *static_cast<Call*>(self);
    const auto& body = call.asked_.body;
    const std::size_t some = std::min(one * n, body.size() - call.given_);
    body.copy(to, some, call.given_);
    call.given_ += some;
    return some;
  }

  const Asked& asked_;
  std::size_t limit_;
  CURL* easy_;
  struct curl_slist* list_ = nullptr;
  std::string body_;
  std::size_t given_ = 0;
  bool too_large_ = false;
  bool done_ = false;
  CURLcode code_ = CURLE_OK;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string now_for_s3() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[20] = {};
  std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts);
  return text;
}

class Http : public Transport {
 public:
  // How a request for a key is put.
  using Query = std::vector<std::pair<std::string, std::string>>;

  Http() : multi_(curl().multi_init()) {}
  Http(const Http&) = delete;
  Http& operator=(const Http&) = delete;
  ~Http() override {
    if (multi_ != nullptr) curl().multi_cleanup(multi_);
  }

  Result<std::string> get(const std::string& key, std::size_t limit,
                          Deadline deadline) override {
    return std::move(get_all({key}, limit, deadline).front());
  }

  std::vector<Result<std::string>> get_all(
      const std::vector<std::string>& keys, std::size_t limit,
      Deadline deadline) override {
    std::vector<Result<std::string>> out;
    for (std::size_t at = 0; at < keys.size(); at += kMostAtOnce) {
      std::vector<Asked> asked;
      for (std::size_t i = at; i < std::min(keys.size(), at + kMostAtOnce);
           ++i) {
        asked.push_back(request("GET", keys[i], {}, ""));
      }
      auto answers = perform(asked, limit, deadline);
      for (std::size_t i = 0; i < answers.size(); ++i) {
        out.push_back(body_of(std::move(answers[i]), asked[i].url));
      }
    }
    return out;
  }

  Result<void> put(const std::string& key, const std::string& bytes,
                   Deadline deadline) override {
    return done(request("PUT", key, {}, bytes), deadline);
  }

  Result<void> remove(const std::string& key, Deadline deadline) override {
    auto gone = done(request("DELETE", key, {}, ""), deadline);
    if (!gone.ok() && gone.error().code == Errc::kNotFound) return {};
    return gone;
  }

 protected:
  virtual Asked request(const std::string& method, const std::string& key,
                        const Query& query, const std::string& body) = 0;
  virtual bool redirects() const { return true; }

  Result<std::string> page(const Asked& asked, Deadline deadline) {
    const std::vector<Asked> one{asked};
    return body_of(std::move(perform(one, kMostPage, deadline).front()),
                   asked.url);
  }

 private:
  static Result<std::string> body_of(Result<Answered> answer,
                                     const std::string& url) {
    if (!answer.ok()) return std::move(answer).error();
    if (answer->status == 404 || answer->status == 410) {
      return Error{Errc::kNotFound, "nothing is there", url};
    }
    if (answer->status < 200 || answer->status > 299) {
      return Error{Errc::kIo,
                   "the server says " + std::to_string(answer->status), url};
    }
    return std::move(answer->body);
  }

  Result<void> done(const Asked& asked, Deadline deadline) {
    REJIG_TRY_VOID(page(asked, deadline));
    return {};
  }

  std::vector<Result<Answered>> perform(const std::vector<Asked>& asked,
                                        std::size_t limit, Deadline deadline) {
    std::vector<std::unique_ptr<Call>> calls;
    for (const auto& one : asked) {
      calls.push_back(std::make_unique<Call>(
          one, limit, redirects() && one.method == "GET"));
      if (calls.back()->easy() != nullptr) {
        curl().multi_add_handle(multi_, calls.back()->easy());
      }
    }
    int running = 1;
    while (running > 0) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          deadline - std::chrono::steady_clock::now());
      if (left.count() <= 0) break;
      if (curl().multi_perform(multi_, &running) != CURLM_OK) break;
      int queued = 0;
      while (CURLMsg* message = curl().multi_info_read(multi_, &queued)) {
        if (message->msg != CURLMSG_DONE) continue;
        Call* call = nullptr;
        curl().easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &call);
        call->end(message->data.result);
      }
      if (running > 0) {
        curl().multi_poll(multi_, nullptr, 0,
                          static_cast<int>(std::min<std::int64_t>(
                              left.count(), 1000)),
                          nullptr);
      }
    }
    std::vector<Result<Answered>> out;
    for (auto& call : calls) {
      if (call->easy() == nullptr) {
        out.push_back(Error{Errc::kIo, "libcurl cannot be used", ""});
        continue;
      }
      out.push_back(call->answer());
      curl().multi_remove_handle(multi_, call->easy());
    }
    return out;
  }

  CURLM* multi_;
};

class Files : public Http {
 public:
  explicit Files(std::string url) : url_(std::move(url)) {
    while (url_.ends_with('/')) url_.pop_back();
  }

  Result<std::vector<Listed>> list(const std::string& folder,
                                   Deadline deadline) override {
    std::vector<Listed> out;
    std::vector<std::string> open = {folder};
    // As many folders as pages; each is one question.
    for (std::size_t at = 0; at < open.size(); ++at) {
      const auto text =
          page(request("GET", open[at] + "/", {}, ""), deadline);
      if (!text.ok()) {
        if (text.error().code == Errc::kNotFound) continue;
        return text.error();
      }
      for (const auto& name : links_of_page(*text)) {
        const bool is_folder = name.ends_with('/');
        const std::string key =
            open[at] + "/" + name.substr(0, name.size() - (is_folder ? 1 : 0));
        if (!is_plain_key(key)) continue;
        if (is_folder) {
          open.push_back(key);
        } else {
          out.push_back({key, 0, 0});
        }
      }
    }
    std::sort(out.begin(), out.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    return out;
  }

 private:
  Asked request(const std::string& method, const std::string& key,
                const Query&, const std::string& body) override {
    Asked out{method, url_ + "/" + percent_escaped(key, true), body, {}};
    const std::string given = variable("REJIG_REMOTE_AUTH");
    if (!given.empty()) out.headers.push_back("Authorization: " + given);
    return out;
  }

  std::string url_;
};

class Bucket : public Http {
 public:
  explicit Bucket(const std::string& url) {
    const std::string rest = url.substr(5);
    const auto slash = std::min(rest.find('/'), rest.size());
    bucket_ = rest.substr(0, slash);
    prefix_ = rest.substr(std::min(slash + 1, rest.size()));
    while (prefix_.ends_with('/')) prefix_.pop_back();
    if (!prefix_.empty()) prefix_ += '/';
    account_ = {variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"),
                variable("AWS_SESSION_TOKEN"), variable("AWS_REGION")};
    if (account_.region.empty()) account_.region = variable("AWS_DEFAULT_REGION");
    if (account_.region.empty()) account_.region = "us-east-1";
    endpoint_ = variable("AWS_ENDPOINT_URL_S3");
    if (endpoint_.empty()) endpoint_ = variable("AWS_ENDPOINT_URL");
    if (endpoint_.empty()) {
      endpoint_ = "https://s3." + account_.region + ".amazonaws.com";
    }
    while (endpoint_.ends_with('/')) endpoint_.pop_back();
  }

  Result<std::vector<Listed>> list(const std::string& folder,
                                   Deadline deadline) override {
    std::vector<Listed> out;
    std::string next;
    do {
      Query query = {{"list-type", "2"}, {"prefix", prefix_ + folder + "/"}};
      if (!next.empty()) query.emplace_back("continuation-token", next);
      REJIG_TRY(const std::string text,
                page(request("GET", "", query, ""), deadline));
      auto some = objects_of_page(text);
      for (auto& one : some.objects) {
        if (!one.key.starts_with(prefix_)) continue;
        one.key = one.key.substr(prefix_.size());
        if (is_plain_key(one.key)) out.push_back(std::move(one));
      }
      if (!some.next.empty() && some.next == next) {
        return Error{Errc::kMalformed, "a list without an end", bucket_};
      }
      next = some.next;
    } while (!next.empty());
    std::sort(out.begin(), out.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    return out;
  }

 private:
  Asked request(const std::string& method, const std::string& key,
                const Query& query, const std::string& body) override {
    S3Request sent{method, endpoint_.substr(endpoint_.find("//") + 2),
                   "/" + bucket_ + "/" + (key.empty() ? "" : prefix_ + key),
                   query, body, {}};
    Asked out{method, endpoint_ + s3_target(sent), body, {}};
    if (account_.key.empty()) return out;
    for (const auto& [name, value] :
         s3_headers(sent, account_, now_for_s3())) {
      out.headers.push_back(name + ": " + value);
    }
    return out;
  }
  // A signature holds for one host.
  bool redirects() const override { return false; }

  std::string bucket_;
  std::string prefix_;
  std::string endpoint_;
  S3Account account_;
};

}  // namespace

base::Result<std::unique_ptr<Transport>> open_http(const std::string& url) {
  if (curl_library() == nullptr) {
    return Error{Errc::kUnsupported, "libcurl cannot be loaded", url};
  }
  if (url.starts_with("s3://")) {
    return std::unique_ptr<Transport>(std::make_unique<Bucket>(url));
  }
  return std::unique_ptr<Transport>(std::make_unique<Files>(url));
}

}  // namespace rejig::coverage
