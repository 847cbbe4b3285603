import { sql } from 'kysely'
import type { TableRow } from '../../schema/tableRow.ts'
import type { Database } from '../../kit/database/database.ts'

/** Data with a type that defines its format. */
export type TypedValue = { type: string; data: unknown }

/** The terms that wallet and app agreed on. */
export type SessionTerms = {
  /** Unix time in seconds. */
  expiry: number
  signer: TypedValue
  permissions: readonly TypedValue[]
  policies: readonly TypedValue[]
}

/** A stored session. */
export type SmartSession = SessionTerms & {
  pci: string
  account: string
  project: string
  /** The wallet's id of the permission. Undefined until the session is active. */
  context: string | undefined
  /** Milliseconds. */
  createdAt: number
  revokedAt: number | undefined
}

/** Stores smart sessions. */
export type SmartSessionStore = {
  /** Adds an inactive session. Deletes sessions that were not activated within an hour. */
  add(session: SmartSession, key: { publicKey: string; sealed: Buffer }): Promise<void>
  find(pci: string): Promise<SmartSession | undefined>
  /** Gets the active sessions of an account, newest first. */
  active(account: string): Promise<readonly SmartSession[]>
  /**
   * Activates a session once.
   *
   * @returns false if it was already active or revoked
   */
  activate(pci: string, context: string, terms: SessionTerms): Promise<boolean>
  /** Revokes a session once. */
  revoke(pci: string, at: number): Promise<boolean>
}

const maxSessions = 255
const activationTimeoutMs = 3_600_000

/** The types of the JSON columns. */
type SmartSessionRow = Omit<TableRow<'smart_session'>, 'signer' | 'permissions' | 'policies'> &
  Pick<SessionTerms, 'signer' | 'permissions' | 'policies'>

/** Creates the store on the server's database. */
export function createSmartSessionStore({ kysely }: Database): SmartSessionStore {
  return {
    async add({ pci, account, project, createdAt, ...terms }, { publicKey, sealed }) {
      await sql`delete from smart_session where context is null and created_at < ${createdAt - activationTimeoutMs}`.execute(
        kysely,
      )
      await sql`
        insert into smart_session
          (pci, account, project, public_key, sealed_key, expiry, signer, permissions, policies, created_at)
        values (${pci}, ${account}, ${project}, ${publicKey}, ${sealed}, ${terms.expiry}, ${toJsonSql(terms.signer)},
          ${toJsonSql(terms.permissions)}, ${toJsonSql(terms.policies)}, ${createdAt})`.execute(kysely)
    },
    async find(pci) {
      const { rows } = await sql<SmartSessionRow>`select * from smart_session where pci = ${pci}`.execute(kysely)
      return rows[0] && toSmartSession(rows[0])
    },
    async active(account) {
      const { rows } = await sql<SmartSessionRow>`
        select * from smart_session where account = ${account} and context is not null
        order by created_at desc limit ${sql.lit(maxSessions)}`.execute(kysely)
      return rows.map(toSmartSession)
    },
    async activate(pci, context, { expiry, signer, permissions, policies }) {
      const { numAffectedRows } = await sql`
        update smart_session set context = ${context}, expiry = ${expiry}, signer = ${toJsonSql(signer)},
          permissions = ${toJsonSql(permissions)}, policies = ${toJsonSql(policies)}
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

function toJsonSql(value: unknown) {
  return sql`${JSON.stringify(value)}::json`
}

function toSmartSession({
  context,
  created_at: createdAt,
  revoked_at: revokedAt,
  ...row
}: SmartSessionRow): SmartSession {
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
