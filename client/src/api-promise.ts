/** A result with the facts in the headers of its response. */
export interface ApiResponse<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  /** The entity tag of the item or order, for `ifMatch`. */
  readonly etag: string | undefined;
  /** The newest movement that the result includes: the start of a stream that continues it. */
  readonly inventorySequence: number | undefined;
  /** Whether an earlier request with the same `Idempotency-Key` made this change. */
  readonly isReplayed: boolean;
}

/** The promise of a result. `withResponse()` also has the headers. */
export class ApiPromise<T> extends Promise<T> {
  readonly #response: Promise<ApiResponse<T>>;

  /** Promises derived from this one are plain ones. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(response: Promise<ApiResponse<T>>) {
    super((resolve, reject) => response.then(({ data }) => resolve(data), reject));
    this.#response = response;
  }

  /** The result with its entity tag, the id of the request and all headers. */
  withResponse(): Promise<ApiResponse<T>> {
    // A caller that handles the response needs no second handler for the same error.
    this.catch(() => {});
    return this.#response;
  }
}

/** The promise of a first page. `for await` reads the items of all pages. */
export class PagePromise<T> extends ApiPromise<readonly T[]> implements AsyncIterable<T> {
  readonly #next: (response: ApiResponse<readonly T[]>) => PagePromise<T> | undefined;

  constructor(
    response: Promise<ApiResponse<readonly T[]>>,
    next: (response: ApiResponse<readonly T[]>) => PagePromise<T> | undefined,
  ) {
    super(response);
    this.#next = next;
  }

  /** All pages, each as it arrives. */
  async *pages(): AsyncGenerator<readonly T[], void, undefined> {
    let page: PagePromise<T> | undefined = this;
    while (page) {
      const response: ApiResponse<readonly T[]> = await page.withResponse();
      yield response.data;
      page = page.#next(response);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page;
  }
}
