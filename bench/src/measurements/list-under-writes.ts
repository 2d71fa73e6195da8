import { type Bench, median, pairwise } from '../compare.ts';
import { type LoadPlan, type LoadResult, runLoad } from '../load.ts';
import { type Row, row } from '../report.ts';
import { makeShop } from '../shop.ts';

const CONNECTIONS = 8;
/** The pause between an answer and the next request, for steady clients that do not saturate the machine. */
const MODEST_PAUSE_MS = 4;

/** Readers of one moment: alone, or with writers. */
interface Moment {
  readonly reads: LoadResult;
  readonly writes?: LoadResult;
}

/** Whether readers wait while changes go to disk. */
export async function measureListUnderWrites(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, 100);
  await using service = await shop.start();
  const seconds = bench.seconds * 2;
  const readers = { ...service.listPlan(), connections: CONNECTIONS, seconds, pauseMs: MODEST_PAUSE_MS };
  const eagerWriters = { ...service.changePlan(), connections: CONNECTIONS, seconds };
  const modestWriters = { ...eagerWriters, pauseMs: MODEST_PAUSE_MS };
  const underWriters = async (writers: LoadPlan): Promise<Moment> => {
    const [reads, writes] = await Promise.all([runLoad(readers), runLoad(writers)]);
    return { reads, writes };
  };
  await underWriters(eagerWriters);

  const alone: Moment[] = [];
  const modest: Moment[] = [];
  const eager: Moment[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    alone.push({ reads: await runLoad(readers) });
    modest.push(await underWriters(modestWriters));
    eager.push(await underWriters(eagerWriters));
  }
  const compared = (moments: Moment[]) => ({
    values: pairwise(p99OfReads(moments), p99OfReads(alone)),
    unit: 'x',
    digits: 2,
    detail: `list p99 ${median(p99OfReads(alone)).toFixed(2)} ms alone, ${describeMoments(moments)}`,
  });
  return [
    row({
      work: 'p99 of list with 8 connections writing without pause / alone',
      ...compared(eager),
      atMost: 2,
    }),
    row({ work: 'p99 of list with 8 connections writing modestly / alone', ...compared(modest) }),
  ];
}

function p99OfReads(moments: readonly Moment[]): number[] {
  return moments.map(({ reads }) => reads.p99Ms);
}

function describeMoments(moments: readonly Moment[]): string {
  const writes = moments.flatMap((moment) => moment.writes ?? []);
  const perSecond = median(writes.map((load) => load.requests / load.elapsedSeconds));
  const p50Ms = median(writes.map((load) => load.p50Ms));
  const p99Ms = median(writes.map((load) => load.p99Ms));
  return (
    `${median(p99OfReads(moments)).toFixed(2)} ms with ${perSecond.toFixed(0)} changes/s, ` +
    `each of which takes ${p50Ms.toFixed(2)} ms (p99 ${p99Ms.toFixed(2)} ms)`
  );
}
