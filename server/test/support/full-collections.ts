import { constants, PerformanceObserver } from 'node:perf_hooks';
import type { TestContext } from 'node:test';

/** Counts the collections of all garbage of this thread, which V8 alone makes only when memory is nearly used up. */
export function countFullCollections(t: TestContext): () => number {
  let count = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { flags } = (entry as PerformanceEntry & { readonly detail: { readonly flags: number } }).detail;
      if ((flags & constants.NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE) !== 0) count += 1;
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  t.after(() => observer.disconnect());
  return () => count;
}
