import type { Clock } from '../../kit/clock.ts'
import { usualPayments } from '../limits.ts'
import { readCents } from '../money.ts'
import type { MethodLimit, PaymentMethod } from '../provider.ts'
import { bankCode, outcomeOf, wrongField, type CardField } from './cards.ts'
import { feeOf, unitsFor } from './price.ts'
import type { SandboxPurchase, SandboxStore } from './store.ts'
import type { Treasury } from './treasury.ts'

/** How often a code may be wrong. */
const mostTries = 3

/** What somebody wrote into the form of the page. */
export type PaymentForm = { method: PaymentMethod } & Readonly<Record<CardField, string>>

/** Something about the form that has to be mended before anything is paid. */
export type Complaint = CardField | 'limit'

/** Takes payments. */
export type Checkout = {
  /** @returns what is wrong with the form, if anything */
  pay(purchase: SandboxPurchase, form: PaymentForm): Promise<Complaint | undefined>
  /** Answers the bank's question for a code. */
  confirm(purchase: SandboxPurchase, code: string): Promise<void>
  cancel(purchase: SandboxPurchase): Promise<void>
}

/** Makes the counter of the sandbox. */
export function createCheckout({
  store,
  treasury,
  clock,
}: {
  store: SandboxStore
  treasury: Treasury
  clock: Clock
}): Checkout {
  async function take(purchase: SandboxPurchase, from: 'open' | 'challenged', method: PaymentMethod): Promise<void> {
    const { id, cents, rate, decimals } = purchase
    const units = unitsFor(cents - feeOf(cents, method), rate, decimals)
    // Whoever presses twice pays once: only one of the steps is taken.
    if (await store.step(id, from, 'paid', { method, units })) await treasury.settle(id, { patiently: true })
  }

  return {
    async pay(purchase, { method, ...card }) {
      const { id, cents, currency } = purchase
      if (purchase.status !== 'open') return undefined
      if (!isWithin(cents, limitOf(currency, method))) return 'limit'
      if (method === 'ach_bank_account') return void (await take(purchase, 'open', method))
      const wrong = wrongField(card, clock.now())
      if (wrong !== undefined) return wrong
      const outcome = outcomeOf(card.number)
      if (outcome === 'paid') await take(purchase, 'open', method)
      else if (outcome === 'challenged') await store.step(id, 'open', 'challenged', { method })
      else await store.step(id, 'open', 'open', { method, decline: outcome })
      return undefined
    },
    async confirm(purchase, code) {
      const { id, status, tries, method = 'card' } = purchase
      if (status !== 'challenged') return
      if (code.replace(/\s/g, '') === bankCode) return take(purchase, 'challenged', method)
      const isLast = tries + 1 >= mostTries
      await store.step(id, 'challenged', isLast ? 'open' : 'challenged', {
        decline: 'code',
        tries: isLast ? 0 : tries + 1,
      })
    },
    async cancel({ id, status }) {
      if (status === 'open' || status === 'challenged') await store.step(id, status, 'cancelled')
    },
  }
}

/** What may be paid in a way. */
export function limitOf(currency: string, method: PaymentMethod): MethodLimit | undefined {
  const payments = usualPayments.find(({ id }) => id === currency)?.payment_method_limits
  return payments?.find(({ id }) => id === method)
}

function isWithin(cents: bigint, limit: MethodLimit | undefined): boolean {
  if (limit === undefined) return false
  const [min = 0n, max = 0n] = [readCents(limit.min), readCents(limit.max)]
  return cents >= min && cents <= max
}
