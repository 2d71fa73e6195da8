import type { Mutation } from '../../mutation.ts';

const WEB = 'web/src';
const STORE = ['web/test/drafts-store.test.ts'];
const DRAFTS = ['web/test/drafts.test.ts'];
const VIEWS = ['web/test/saved-views.test.ts'];
const PET = ['web/test/pet.test.ts'];
const COUNTS = ['web/test/count/count-queue.test.ts'];
const SENTENCES = ['web/test/log-sentences.test.ts'];

/** Drafts, saved views in two browsers, adjustments that wait, and the sentences of the activity log. */
export const DASHBOARD_DRAFTS: readonly Mutation[] = [
  {
    name: 'a draft is shown for ever',
    file: `${WEB}/drafts/drafts.ts`,
    from: 'draft && draft.keptAtMs > this.#nowMs() - MAX_AGE_MS ? draft : undefined',
    to: 'draft',
    tests: STORE,
  },
  {
    name: 'a huge value of the storage is parsed and shown',
    file: `${WEB}/drafts/drafts.ts`,
    from: 'text === null || text.length > MAX_CHARACTERS',
    to: 'text === null',
    tests: STORE,
  },
  {
    name: 'the drafts of a person whose key begins in the same way stay',
    file: `${WEB}/drafts/drafts.ts`,
    from: "draftKey(exceptPersonId, '')",
    to: 'PREFIX + exceptPersonId',
    tests: STORE,
  },
  {
    name: 'a later key of a person deletes what was typed with the first one',
    file: `${WEB}/offline/kept-session.ts`,
    from: 'firstKeyId = keyId }: Keys): string => firstKeyId',
    to: 'keyId: personId }: Keys): string => personId',
    tests: DRAFTS,
  },
  {
    name: 'drafts that an earlier build kept for a later key are deleted',
    file: `${WEB}/offline/kept-shop.ts`,
    from: '  if (session) drafts.move(session.keyId, personOf(session));\n',
    to: '',
    tests: DRAFTS,
  },
  {
    name: 'an older draft of a later key replaces the newer one of its person',
    file: `${WEB}/drafts/drafts.ts`,
    from: '(parseDraft(text)?.keptAtMs ?? 0) > (this.find(target)?.keptAtMs ?? 0)',
    to: 'text',
    tests: STORE,
  },
  {
    name: 'counts of a later key of a person are those of somebody else',
    file: `${WEB}/counts/count-queue.ts`,
    from: 'if (count.keyId === keyId) this.update(count.id, { keyId: personId });',
    to: '{}',
    tests: COUNTS,
  },
  {
    name: 'drafts pile up in the browser',
    file: `${WEB}/drafts/drafts.ts`,
    from: 'keptAtMs === 0 || place >= MAX_DRAFTS - 1',
    to: 'keptAtMs === 0',
    tests: STORE,
  },
  {
    name: 'a reload forgets the idempotency key of an order that may be placed',
    file: `${WEB}/pages/orders/order-draft.ts`,
    from: '...(attempt && { attempt })',
    to: '',
    tests: STORE,
  },
  {
    name: 'a path in the petId of a stored order is shown and requested',
    file: `${WEB}/pages/orders/order-draft.ts`,
    from: '/^-?\\d{1,19}$/.test(petId)',
    to: "petId !== ''",
    tests: STORE,
  },
  {
    name: 'a column of an unknown field is prepared again',
    file: `${WEB}/pages/imports/send/import-draft.ts`,
    from: 'Array.isArray(mapping) && mapping.every((field) => fields.includes(field))',
    to: 'Array.isArray(mapping)',
    tests: STORE,
  },
  {
    name: 'a tab that is still open keeps a draft after the sign-out',
    file: `${WEB}/drafts/use-draft.ts`,
    from: ' || keptPersonId() !== personId',
    to: '',
    tests: DRAFTS,
  },
  {
    name: 'a draft is replaced by the empty form before it shows',
    file: `${WEB}/drafts/use-draft.ts`,
    from: 'isReplaced || text === known.current',
    to: 'text === known.current',
    tests: DRAFTS,
  },
  {
    name: 'a view of another browser is replaced without a question',
    file: `${WEB}/components/views/use-saved-views.ts`,
    from: 'JSON.stringify(theirs) !== JSON.stringify(viewIn(seen, about))',
    to: 'attempt > MAX_ATTEMPTS',
    tests: VIEWS,
  },
  {
    name: 'views are replaced without their tag',
    file: `${WEB}/components/views/use-saved-views.ts`,
    from: '{ body, ifMatch: before.tag }',
    to: '{ body }',
    tests: VIEWS,
  },
  {
    name: 'an adjustment whose answer was lost is sent as another request',
    file: `${WEB}/counts/send-count.ts`,
    from: '...(isMatched && { ifMatch: tag })',
    to: '',
    tests: ['web/test/shell/sent-changes.test.ts'],
  },
  {
    name: 'an adjustment that waited has another reason and no note',
    file: `${WEB}/counts/use-counts.ts`,
    from: '    ...words,\n',
    to: '',
    tests: PET,
  },
  {
    name: 'recorded counts stay in the browser after the sign-out',
    file: `${WEB}/session/session-context.tsx`,
    from: '    countQueue.endSettled();\n',
    to: '',
    tests: ['web/test/count/count.test.ts'],
  },
  {
    name: 'the sign-in of a person ends the list of what the person counted',
    file: `${WEB}/counts/count-queue.ts`,
    from: 'isSettled(count) && count.keyId !== exceptKeyId',
    to: 'isSettled(count)',
    tests: COUNTS,
  },
  {
    name: 'a step that was typed for an earlier state of its order is taken without a word',
    file: `${WEB}/pages/orders/order/step-forms.tsx`,
    from: 'if (kept.version !== order.version) onChanged();',
    to: '',
    tests: DRAFTS,
  },
  {
    name: 'a change that waited is decided on another page only',
    file: `${WEB}/pages/pet/pet-page.tsx`,
    from: '<PetDecisions petId={pet.petId} />',
    to: '',
    tests: PET,
  },
  {
    name: 'a selection that another filter hides looks like all rows',
    file: `${WEB}/pages/stock/table/stock-table.tsx`,
    from: 'petIds.size - hidden === count',
    to: 'petIds.size >= count',
    tests: ['web/test/stock/stock.test.ts'],
  },
  {
    name: 'the log links a pet that was deleted',
    file: `${WEB}/pages/system/log/sentence.ts`,
    from: "action.endsWith('.delete') ? undefined : PAGES[group]",
    to: 'PAGES[group]',
    tests: SENTENCES,
  },
  {
    name: 'a line without the values of its sentence has the brackets of the template',
    file: `${WEB}/pages/system/log/sentence.ts`,
    from: "for (const alternative of piece.split('|'))",
    to: 'for (const alternative of [piece])',
    tests: SENTENCES,
  },
  {
    name: 'a reload loses a form without a draft, and nobody is asked',
    file: `${WEB}/components/dialogs/typed-content.tsx`,
    from: "window.addEventListener('beforeunload', askBrowser);",
    to: '',
    tests: DRAFTS,
  },
  {
    name: 'a reload loses a draft for which the browser has no room, and nobody is asked',
    file: `${WEB}/components/dialogs/typed-content.tsx`,
    from: ', [data-unkept])',
    to: ')',
    tests: DRAFTS,
  },
  {
    name: 'an order that another tab may have placed is placed again, and the button does not say so',
    file: `${WEB}/pages/orders/new-order.tsx`,
    from: "draft.notice?.kind === 'ended' ?",
    to: "draft.notice?.kind === 'changed' ?",
    tests: ['web/test/drafts.test.ts'],
  },
  {
    name: 'a sign-in with another key deletes drafts without a word',
    file: `${WEB}/session/sign-in-page.tsx`,
    from: '{hasDrafts && ',
    to: '{false && ',
    tests: ['web/test/drafts.test.ts'],
  },
];
