import type { Database } from '../../kit/database/database.ts'
import type { TableRow } from '../../schema/tableRow.ts'
import type { PaymentMethod } from '../onRampProvider.ts'

/**
 * `open`: not paid. `challenged`: the bank asks for a code. `paid`: the payout is due. `sent`: the payout is signed and
 * pending. `arrived`, `refunded`, `cancelled`: final.
 */
export type SandboxStatus = 'open' | 'challenged' | 'paid' | 'sent' | 'arrived' | 'refunded' | 'cancelled'

/** The reason that a payment was declined. */
export type DeclineReason = 'declined' | 'funds' | 'expired' | 'code' | 'strange'

/** A purchase in the sandbox. */
export type SandboxPurchase = {
  id: string
  /** The secret in the URL of its page. */
  page: string
  chain: string
  /** Empty for the native currency. */
  token: string
  symbol: string
  decimals: number
  receiver: string
  currency: string
  cents: bigint
  /** Price of one unit, in the currency. */
  rate: string
  status: SandboxStatus
  method: PaymentMethod | undefined
  decline: DeclineReason | undefined
  tries: number
  /** Amount to pay out, in base units. Set once the purchase is paid. */
  units: bigint | undefined
  nonce: number | undefined
  raw: string | undefined
  hash: string | undefined
  createdAt: number
}

export type NewPurchase = Pick<
  SandboxPurchase,
  'id' | 'page' | 'chain' | 'token' | 'symbol' | 'decimals' | 'receiver' | 'currency' | 'cents' | 'rate' | 'createdAt'
>

/** Values that a step stores with the new status. */
export type PurchaseStep = Partial<Pick<SandboxPurchase, 'method' | 'decline' | 'units'>> & { tries?: number }

/** The purchases of the sandbox. Each step happens once, because it names the status that it starts from. */
export type SandboxStore = {
  add(purchase: NewPurchase): Promise<void>
  byId(id: string): Promise<SandboxPurchase | undefined>
  byPage(page: string): Promise<SandboxPurchase | undefined>
  /** @returns true if this call made the step */
  step(id: string, from: SandboxStatus, to: SandboxStatus, also?: PurchaseStep): Promise<boolean>
  /**
   * Stores a signed transaction before it is sent.
   *
   * @returns false if the nonce is in use or no payout is due
   */
  sign(id: string, signed: { nonce: number; raw: string; hash: string }): Promise<boolean>
  /** Makes the payout due again, because its transaction can never be mined. */
  unsign(id: string): Promise<void>
  /** The nonce after the highest pending one on a chain. */
  nextNonce(chain: string): Promise<number>
  /** Ids of purchases that are paid but not delivered. */
  owed(): Promise<readonly string[]>
  /** Deletes unpaid purchases older than `before`. */
  forget(before: number): Promise<void>
}

/** Creates the store on the server's database. */
export function createSandboxStore(database: Database): SandboxStore {
  const one = async (name: string, text: string, values: readonly unknown[]): Promise<SandboxPurchase | undefined> => {
    const [row] = await database.run<PurchaseRow>(name, text, values)
    return row === undefined ? undefined : toSandboxPurchase(row)
  }
  const changed = async (name: string, text: string, values: readonly unknown[]): Promise<boolean> =>
    (await database.run<Pick<PurchaseRow, 'id'>>(name, text, values)).length === 1
  return {
    async add({ id, page, chain, token, symbol, decimals, receiver, currency, cents, rate, createdAt }) {
      const values = [id, page, chain, token, symbol, decimals, receiver, currency, cents.toString(), rate, createdAt]
      await database.run('onramp-add', add, values)
    },
    byId: (id) => one('onramp-by-id', `${select} where id = $1`, [id]),
    byPage: (page) => one('onramp-by-page', `${select} where page = $1`, [page]),
    step: (id, from, to, { method, decline, units, tries = 0 } = {}) =>
      changed('onramp-step', step, [id, from, to, method ?? null, decline ?? null, units?.toString() ?? null, tries]),
    sign: (id, { nonce, raw, hash }) => changed('onramp-sign', sign, [id, nonce, raw, hash]),
    unsign: async (id) => void (await database.run('onramp-unsign', unsign, [id])),
    async nextNonce(chain) {
      const [row] = await database.run<{ next: number | null }>('onramp-nonce', next, [chain])
      return row?.next ?? 0
    },
    async owed() {
      return (await database.run<Pick<PurchaseRow, 'id'>>('onramp-owed', owed, [])).map(({ id }) => id)
    },
    forget: async (before) => void (await database.run('onramp-forget', forget, [before])),
  }
}

/** Column values that the database types do not narrow. */
type PurchaseRow = Omit<TableRow<'onramp_purchase'>, 'status' | 'method' | 'decline'> & {
  status: SandboxStatus
  method: PaymentMethod | null
  decline: DeclineReason | null
}

function toSandboxPurchase({
  cents,
  units,
  method,
  decline,
  nonce,
  raw,
  hash,
  created_at: createdAt,
  ...row
}: PurchaseRow): SandboxPurchase {
  return {
    ...row,
    cents: BigInt(cents),
    units: units === null ? undefined : BigInt(units),
    method: method ?? undefined,
    decline: decline ?? undefined,
    nonce: nonce ?? undefined,
    raw: raw ?? undefined,
    hash: hash ?? undefined,
    createdAt,
  }
}

const add = `
  insert into onramp_purchase
    (id, page, chain, token, symbol, decimals, receiver, currency, cents, rate, created_at, status)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'open')`

const select = 'select * from onramp_purchase'

const step = `
  update onramp_purchase set status = $3, method = coalesce($4, method), decline = $5,
    units = coalesce($6::numeric, units), tries = $7,
    -- Frees the nonce, because a development chain may be reset.
    nonce = case when $3 in ('arrived', 'refunded') then null else nonce end
  where id = $1 and status = $2
  returning id`

const sign = `
  update onramp_purchase set status = 'sent', nonce = $2, raw = $3, hash = $4
  where id = $1 and status = 'paid'
    and not exists (select from onramp_purchase other where other.chain = onramp_purchase.chain and other.nonce = $2)
  returning id`

const unsign = `
  update onramp_purchase set status = 'paid', nonce = null, raw = null, hash = null
  where id = $1 and status = 'sent'`

const next = `select max(nonce) + 1 as next from onramp_purchase where chain = $1 and status = 'sent'`

const owed = `select id from onramp_purchase where status in ('paid', 'sent') order by created_at`

const forget = `delete from onramp_purchase where status in ('open', 'challenged', 'cancelled') and created_at < $1`
