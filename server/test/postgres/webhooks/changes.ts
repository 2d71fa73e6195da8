import { setTimeout as delay } from 'node:timers/promises';
import { setQuantity } from '../../blackbox/api-request.ts';
import type { Cluster } from '../support/cluster.ts';

/** One change after the other, through each instance that runs. */
export class Changes {
  /** How many were sent. */
  count = 0;
  /** How many succeeded. */
  done = 0;
  #isEnding = false;
  readonly #running: Promise<void>;

  constructor(cluster: Cluster) {
    this.#running = this.#run(cluster);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
  }

  async #run(cluster: Cluster): Promise<void> {
    while (!this.#isEnding) {
      const { port } = cluster.any();
      // The instance may be killed meanwhile, or its database.
      const status = await setQuantity({ port, key: cluster.key }, 1n, this.count).then(
        (response) => response.status,
        () => 0,
      );
      this.count += 1;
      if (status === 200) this.done += 1;
      await delay(5);
    }
  }
}
