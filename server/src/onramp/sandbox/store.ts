import type { Database } from '../../kit/database.ts'
import type { PaymentMethod } from '../provider.ts'

/**
 * `open`: nobody paid. `challenged`: the bank asks for a code. `paid`: the coins are owed. `sent`: they are signed for, and
 * on their way. `arrived`, `refunded`, `cancelled`: it is over.
 */
export type SandboxStatus = 'open' | 'challenged' | 'paid' | 'sent' | 'arrived' | 'refunded' | 'cancelled'

/** Why a payment did not go. */
export type Decline = 'declined' | 'funds' | 'expired' | 'code' | 'strange'

/** A purchase in the sandbox. */
export type SandboxPurchase = {
  id: string
  /** The secret part of its page's address. */
  page: string
  chain: string
  /** Empty for the native currency. */
  token: string
  symbol: string
  decimals: number
  receiver: string
  currency: string
  cents: bigint
  /** What one unit costs, in the currency. */
  rate: string
  status: SandboxStatus
  method: PaymentMethod | undefined
  decline: Decline | undefined
  tries: number
  /** What is owed, in base units; known once it is paid. */
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

/** What a step of a payment writes down beside the new status. */
export type Step = Partial<Pick<SandboxPurchase, 'method' | 'decline' | 'units'>> & { tries?: number }

/** What the sandbox keeps. Every step is taken once: it names the status that it goes out from. */
export type SandboxStore = {
  add(purchase: NewPurchase): Promise<void>
  byId(id: string): Promise<SandboxPurchase | undefined>
  byPage(page: string): Promise<SandboxPurchase | undefined>
  /** @returns whether it was this call that took the step */
  step(id: string, from: SandboxStatus, to: SandboxStatus, also?: Step): Promise<boolean>
  /** Writes down a signed transaction before anybody sends it. @returns false when the number is taken, or it is not owed */
  sign(id: string, signed: { nonce: number; raw: string; hash: string }): Promise<boolean>
  /** The transaction can never be mined: the coins are owed again. */
  unsign(id: string): Promise<void>
  /** The number after the last one that was signed with on a chain. */
  nextNonce(chain: string): Promise<number>
  /** Ids of purchases that are paid for and have not arrived. */
  owed(): Promise<readonly string[]>
  /** Forgets pages that nobody paid on since. */
  forget(before: number): Promise<void>
}

/** Makes the store on the server's database. */
export function createSandboxStore(database: Database): SandboxStore {
  const one = async (name: string, text: string, values: readonly unknown[]): Promise<SandboxPurchase | undefined> => {
    const [row] = await database.run<Row>(name, text, values)
    return row === undefined ? undefined : read(row)
  }
  const changed = async (name: string, text: string, values: readonly unknown[]): Promise<boolean> =>
    (await database.run<{ id: string }>(name, text, values)).length === 1
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
      return (await database.run<{ id: string }>('onramp-owed', owed, [])).map(({ id }) => id)
    },
    forget: async (before) => void (await database.run('onramp-forget', forget, [before])),
  }
}

type Row = {
  id: string
  page: string
  chain: string
  token: string
  symbol: string
  decimals: number
  receiver: string
  currency: string
  cents: number
  rate: string
  status: SandboxStatus
  method: PaymentMethod | null
  decline: Decline | null
  tries: number
  units: string | null
  nonce: number | null
  raw: string | null
  hash: string | null
  created_at: number
}

function read({
  cents,
  units,
  method,
  decline,
  nonce,
  raw,
  hash,
  created_at: createdAt,
  ...row
}: Row): SandboxPurchase {
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
    -- A number that was used is free again: a chain may begin anew.
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
