import { type RefObject, useEffect, useRef, useState } from 'react';

/** Whether an element is in view; `isFirst` until that is known. */
export function useInView<E extends Element>(isFirst: boolean): readonly [RefObject<E | null>, boolean] {
  const element = useRef<E>(null);
  const [isInView, setInView] = useState(isFirst);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? true));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, isInView];
}

/** The newest sequence that is shown: it stays while the person reads older ones, and follows at the top. */
export function useShownUntil(newest: number, isAtTop: boolean): number {
  const [held, setHeld] = useState<number>();
  if (isAtTop && held !== undefined) setHeld(undefined);
  if (!isAtTop && held === undefined && newest > 0) setHeld(newest);
  return isAtTop ? newest : (held ?? newest);
}
