import { createHmac } from 'node:crypto'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Database } from '../../kit/database/database.ts'
import type { TableRow } from '../../schema/tableRow.ts'

/** A reported contract: of a token or of an NFT collection. */
export type ReportedAsset = {
  /** CAIP-2. */
  chain: string
  /** The contract, in lower case on EVM chains. */
  asset: string
}

/** A report of one client. */
export type SpamReport = ReportedAsset & {
  project: string
  /** The network address of the client. Only a keyed digest of it is stored. */
  client: string
}

/** The reports that users made. All processes share them. */
export type SpamReports = {
  /**
   * Stores a report. Reports of the same client and asset in a project count once.
   *
   * @returns false if the client reported too many assets; then nothing is stored
   */
  add(report: SpamReport): Promise<boolean>
  /** Lists the assets that at least `clients` clients reported. */
  listReportedBy(clients: number): Promise<readonly ReportedAsset[]>
}

export type SpamReportsOptions = {
  database: Database
  clock: Clock
  /** The key of the digests of client addresses. */
  secret: Uint8Array
  limits?: SpamReportLimits
}

export type SpamReportLimits = {
  /** The most assets that one client reports before the first of these reports expires. */
  perClient: number
  /** The most stored reports. The oldest are removed. */
  stored: number
  /** Number of new reports between two checks of the number of stored ones. */
  checkEvery: number
  /** The most assets that `listReportedBy` returns. */
  listed: number
}

const dayMs = 86_400_000
const lifetimeMs = 90 * dayMs
const usualLimits: SpamReportLimits = { perClient: 100, stored: 200_000, checkEvery: 500, listed: 10_000 }

const countOfClient = `select count(*)::int as count from spam_report where reporter = $1 and reported_at > $2`

const insertReport = `
  insert into spam_report (chain, asset, project, reporter, reported_at) values ($1, $2, $3, $4, $5)
  on conflict do nothing returning chain`

const deleteExpired = `delete from spam_report where reported_at <= $1`

const deleteOldest = `
  delete from spam_report where reported_at <= (
    select reported_at from spam_report order by reported_at desc offset $1 limit 1
  )`

const selectReported = `
  select chain, asset from spam_report where reported_at > $1
  group by chain, asset having count(distinct reporter) >= $2 order by count(distinct reporter) desc limit $3`

/** Creates the reports in the server's database. */
export function createSpamReports({ database, clock, secret, limits = usualLimits }: SpamReportsOptions): SpamReports {
  let added = 0

  /** The digest tells clients apart. Without the secret, it can't be turned into an address. */
  const toReporter = (client: string): Buffer =>
    createHmac('sha256', secret).update(`spam-report\n${client}`).digest().subarray(0, 16)

  async function removeOld(now: number): Promise<void> {
    await database.run('spam-expire', deleteExpired, [now - lifetimeMs])
    if (added % limits.checkEvery === 0) await database.run('spam-bound', deleteOldest, [limits.stored])
    added += 1
  }

  return {
    async add({ chain, asset, project, client }) {
      const [now, reporter] = [clock.now(), toReporter(client)]
      const [counted] = await database.run<{ count: number }>('spam-count', countOfClient, [reporter, now - lifetimeMs])
      if ((counted?.count ?? 0) >= limits.perClient) return false
      const stored = await database.run('spam-add', insertReport, [chain, asset, project, reporter, now])
      if (stored.length > 0) await removeOld(now)
      return true
    },
    listReportedBy: (clients) =>
      database.run<Pick<TableRow<'spam_report'>, 'chain' | 'asset'>>('spam-list', selectReported, [
        clock.now() - lifetimeMs,
        clients,
        limits.listed,
      ]),
  }
}
