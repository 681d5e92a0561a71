// SPDX-License-Identifier: Apache-2.0
// For commands that fill some ten megabytes and end: the heap grows in large
// steps of large pages and keeps what is freed. A page of 4 kB costs a fault,
// which is a quarter of the time that a warm selection takes.
#pragma once

namespace rejig::app {

// Called before much is allocated; `threads` will allocate at the same time (0:
// one for each core). Where the system has no large pages for the asking, they
// are small ones.
void prepare_heap(unsigned threads);

}  // namespace rejig::app
