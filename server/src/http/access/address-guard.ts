import type { WindowUsage } from '../../domain/access/rate-limit.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { AddressLimit } from './address-limit.ts';
import { overAddressLimit } from './over-limit.ts';

/** Applies the address limit to requests. */
export class AddressGuard {
  readonly #limit: AddressLimit;

  constructor(limit: AddressLimit) {
    this.#limit = limit;
  }

  /** Counts the request. @throws ApiError when the limit is exceeded. */
  charge(context: RequestContext): void {
    const { isAdmitted, window } = this.#limit.charge(context.request, forwardedFor(context), context.nowMs);
    context.windows = [window];
    if (!isAdmitted) throw overAddressLimit(context, window);
  }

  /** Gives back a counted request. */
  refund(context: RequestContext): void {
    context.windows = [this.#limit.refund(context.request, forwardedFor(context), context.nowMs)];
  }

  /** @throws ApiError when the limit is used up. */
  requireLeft(context: RequestContext): void {
    const window = this.#window(context);
    if (window.remaining === 0) throw overAddressLimit(context, window);
  }

  isUsedUp(context: RequestContext): boolean {
    return this.#window(context).remaining === 0;
  }

  /** Sets the window of the address for the limit headers. */
  show(context: RequestContext): void {
    context.windows = [this.#window(context)];
  }

  addressOf(context: RequestContext): string {
    return this.#limit.callerOf(context.request, forwardedFor(context));
  }

  #window(context: RequestContext): WindowUsage {
    return this.#limit.peek(context.request, forwardedFor(context), context.nowMs);
  }
}

function forwardedFor(context: RequestContext): string | null {
  return context.header('x-forwarded-for');
}
