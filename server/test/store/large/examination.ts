import assert from 'node:assert/strict';
import openApi from '../../../../openapi.json' with { type: 'json' };
import { Bounds, type Engine } from './bounds.ts';
import { QUESTIONS } from './large-operations.ts';
import { type LargeShop, PETS, writePets } from './large-shop.ts';

/** CPU time of one turn of the event loop that a request or an import may take, with room for a machine that is busy. */
const MAX_TURN_MS = 40;
/** Resident memory of the serving process. */
const MAX_MB = 500;

const OPERATIONS = Object.values(openApi.paths).flatMap((path) =>
  Object.values(path as Record<string, { operationId?: string }>).flatMap(
    ({ operationId }) => operationId ?? [],
  ),
);

export const bounds = new Bounds();
export const commandsDone = new Set<string>();
const beganAtMs = performance.now();

export function progress(what: string): void {
  process.stderr.write(`${((performance.now() - beganAtMs) / 1_000).toFixed(0).padStart(5)} s  ${what}\n`);
}

/** Measures each operation of one shop against its documented bound. */
export class Examination {
  readonly shop: LargeShop;
  readonly engine: Engine;
  /** Exceeded bounds. A run takes a quarter of an hour, so it continues and reports all of them. */
  readonly excesses: string[] = [];

  constructor(shop: LargeShop, engine: Engine) {
    this.shop = shop;
    this.engine = engine;
  }

  /** Runs a command; returns its output, which is JSON. */
  async command(name: string, words: readonly string[] = [], code = 0): Promise<Record<string, unknown>> {
    const text = await this.text(name, words, code);
    return code === 0 ? (JSON.parse(text) as Record<string, unknown>) : {};
  }

  /** Runs a command; returns its output. */
  async text(name: string, words: readonly string[] = [], code = 0): Promise<string> {
    const ended = await this.shop.command(...name.split(' '), ...words);
    commandsDone.add(name);
    this.#judge(name, ended.seconds);
    assert.equal(ended.code, code, `${name}: ${ended.stderr}`);
    return ended.stdout;
  }

  async serve(): Promise<void> {
    commandsDone.add('serve');
    this.#judge('serve', await this.shop.serve());
  }

  /** Sends each request, and measures the serving process while it answers. */
  async operations(): Promise<void> {
    assert.deepEqual(
      Object.keys(QUESTIONS).toSorted(),
      OPERATIONS.toSorted(),
      'every operation has questions',
    );
    for (const checked of Object.values(QUESTIONS).flat()) {
      const response = await this.shop.send(checked);
      const { longestMs, peakMb } = await this.shop.turns();
      const what = `${checked.method ?? 'GET'} ${checked.path}`;
      this.#judge(
        checked.bound,
        response.seconds,
        `${what}: ${longestMs.toFixed(1)} ms in one turn, ${peakMb.toFixed(0)} MB`,
      );
      assert.equal(response.status, checked.status ?? 200, `${what}: ${response.end}`);
      checked.check?.(response);
      this.#judgeProcess(what, longestMs, peakMb);
    }
  }

  /** Changes all pets by an import while the service serves, and requests lists during and after it. */
  async importWhileServing(): Promise<void> {
    const file = this.shop.file('changed.csv');
    await writePets(file, 50);
    let isDone = false;
    const importing = this.command('pets import', [file]).finally(() => {
      isDone = true;
    });
    let lists = 0;
    do {
      const { status, bytes } = await this.shop.send({
        path: '/inventory',
        headers: { 'Accept-Encoding': 'gzip' },
      });
      assert.ok(status === 200 && bytes > PETS);
      lists += 1;
    } while (!isDone);
    assert.equal((await importing).changed, PETS);
    const list = await this.shop.send({ path: '/inventory', headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(list.status, 200);
    const { longestMs, peakMb } = await this.shop.turns();
    const figures = `${longestMs.toFixed(1)} ms in one turn, ${peakMb.toFixed(0)} MB, ${lists} lists during the import`;
    this.#judge('listInventory, after an import of all', list.seconds, figures);
    this.#judgeProcess('an import of all pets', longestMs, peakMb);
  }

  /** Starts the service for the first time, and stops it as soon as it reports that it is open. */
  async start(): Promise<void> {
    commandsDone.add('start');
    this.#judge('start', await this.shop.startForFirstLook());
  }

  #judge(what: string, seconds: number, more = ''): void {
    const most = bounds.secondsOf(what, this.engine);
    progress(`${this.engine}: ${what}: ${seconds.toFixed(2)} of ${most} s ${more}`);
    if (seconds > most) this.excesses.push(`${what} took ${seconds} s, and may take ${most}`);
  }

  #judgeProcess(what: string, longestMs: number, peakMb: number): void {
    if (longestMs > MAX_TURN_MS) this.excesses.push(`${what}: ${longestMs} ms in one turn`);
    if (peakMb > MAX_MB) this.excesses.push(`${what}: ${peakMb} MB`);
  }
}
