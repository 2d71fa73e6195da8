import { z } from '@hono/zod-openapi';

/**
 * An array whose check ends at its first wrong element. Zod makes an issue of each: with 50,000 of them, that takes longer
 * than the change of as many pets. The document needs `type`, `items` and `maxItems` from the caller.
 * @param element The check of an element.
 * @param most The largest number of elements.
 * @param name What they are, for messages, such as `petIds`.
 */
export function longArray<T>(element: z.ZodType<T>, most: number, name: string) {
  return z
    .array(z.custom<T>(), `must be an array of ${name}.`)
    .max(most, `must have at most ${most} ${name}.`)
    .superRefine((values, { addIssue }) => {
      for (const [i, value] of values.entries()) {
        const [issue] = element.safeParse(value).error?.issues ?? [];
        if (!issue) continue;
        addIssue({ ...issue, path: [i, ...issue.path] });
        return;
      }
    });
}
