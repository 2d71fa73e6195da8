import type { Author } from '../domain/ledger/ledger.ts';

/** The id of an author's key; `null` for the operator and for the service. */
export function keyIdOf(actor: string): string | null {
  return actor.startsWith('key_') ? actor : null;
}

/** The members of an author in JSON. */
export function actorMembers({ actor, actorName }: Pick<Author, 'actor' | 'actorName'>) {
  return { keyId: keyIdOf(actor), name: actorName };
}

export function actorJson({ actor, actorName }: Pick<Author, 'actor' | 'actorName'>): string {
  return `{"keyId":${JSON.stringify(keyIdOf(actor))},"name":${JSON.stringify(actorName)}}`;
}
