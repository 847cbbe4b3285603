import { sql } from 'kysely'
import type { Database } from '../../kit/database.ts'

/** Something of which a type says what its data is. */
export type Typed = { type: string; data: unknown }

/** What a session may do, as the wallet and the app have agreed. */
export type Terms = {
  /** Seconds since 1970. */
  expiry: number
  signer: Typed
  permissions: readonly Typed[]
  policies: readonly Typed[]
}

/** A session as it is kept. */
export type SmartSession = Terms & {
  pci: string
  account: string
  project: string
  /** What the wallet calls the permission; undefined until the session is active. */
  context: string | undefined
  /** Milliseconds. */
  createdAt: number
  revokedAt: number | undefined
}

/** Keeps smart sessions. */
export type SessionStore = {
  /** Adds a session that is not active yet; what was never activated and is older than an hour goes. */
  add(session: SmartSession, key: { publicKey: string; sealed: Buffer }): Promise<void>
  find(pci: string): Promise<SmartSession | undefined>
  /** The active ones of an account, newest first. */
  active(account: string): Promise<readonly SmartSession[]>
  /** Activates a session, once; false when it was active or revoked already. */
  activate(pci: string, context: string, terms: Terms): Promise<boolean>
  /** Revokes a session, once. */
  revoke(pci: string, at: number): Promise<boolean>
}

/** As many are told of an account. */
const most = 255
const waitsFor = 3_600_000

type Row = {
  pci: string
  account: string
  project: string
  expiry: number
  signer: Typed
  permissions: readonly Typed[]
  policies: readonly Typed[]
  context: string | null
  created_at: number
  revoked_at: number | null
}

/** Makes the store on the server's database. */
export function createSessionStore({ kysely }: Database): SessionStore {
  return {
    async add({ pci, account, project, createdAt, ...terms }, { publicKey, sealed }) {
      await sql`delete from smart_session where context is null and created_at < ${createdAt - waitsFor}`.execute(
        kysely,
      )
      await sql`
        insert into smart_session
          (pci, account, project, public_key, sealed_key, expiry, signer, permissions, policies, created_at)
        values (${pci}, ${account}, ${project}, ${publicKey}, ${sealed}, ${terms.expiry}, ${json(terms.signer)},
          ${json(terms.permissions)}, ${json(terms.policies)}, ${createdAt})`.execute(kysely)
    },
    async find(pci) {
      const { rows } = await sql<Row>`select * from smart_session where pci = ${pci}`.execute(kysely)
      return rows[0] && sessionOf(rows[0])
    },
    async active(account) {
      const { rows } = await sql<Row>`
        select * from smart_session where account = ${account} and context is not null
        order by created_at desc limit ${sql.lit(most)}`.execute(kysely)
      return rows.map(sessionOf)
    },
    async activate(pci, context, { expiry, signer, permissions, policies }) {
      const { numAffectedRows } = await sql`
        update smart_session set context = ${context}, expiry = ${expiry}, signer = ${json(signer)},
          permissions = ${json(permissions)}, policies = ${json(policies)}
        where pci = ${pci} and context is null and revoked_at is null`.execute(kysely)
      return numAffectedRows === 1n
    },
    async revoke(pci, at) {
      const { numAffectedRows } = await sql`
        update smart_session set revoked_at = ${at} where pci = ${pci} and revoked_at is null`.execute(kysely)
      return numAffectedRows === 1n
    },
  }
}

function json(value: unknown) {
  return sql`${JSON.stringify(value)}::json`
}

function sessionOf({ context, created_at: createdAt, revoked_at: revokedAt, ...row }: Row): SmartSession {
  const { pci, account, project, expiry, signer, permissions, policies } = row
  return {
    pci,
    account,
    project,
    expiry,
    signer,
    permissions,
    policies,
    context: context ?? undefined,
    createdAt,
    revokedAt: revokedAt ?? undefined,
  }
}
