import type { Clock } from '../../kit/runtime/clock.ts'
import { defaultPayments } from '../defaultPayments.ts'
import { parseCents } from '../cents.ts'
import type { MethodLimit, PaymentMethod } from '../onRampProvider.ts'
import { bankCode, getCardOutcome, findInvalidField, type CardField } from './cards.ts'
import { getFee, getUnits } from './sandboxFees.ts'
import type { SandboxPurchase, SandboxStore } from './sandboxStore.ts'
import type { Treasury } from './treasury.ts'

const maxCodeAttempts = 3

/** The submitted payment form. */
export type PaymentForm = { method: PaymentMethod } & Readonly<Record<CardField, string>>

/** The first invalid field of the form, or `limit` if the method does not accept the amount. */
export type FormError = CardField | 'limit'

/** Processes payments. */
export type Checkout = {
  /** @returns the error of the form, if any */
  pay(purchase: SandboxPurchase, form: PaymentForm): Promise<FormError | undefined>
  /** Submits the code that the bank asked for. */
  confirm(purchase: SandboxPurchase, code: string): Promise<void>
  cancel(purchase: SandboxPurchase): Promise<void>
}

/** Creates the checkout of the sandbox. */
export function createCheckout({
  store,
  treasury,
  clock,
}: {
  store: SandboxStore
  treasury: Treasury
  clock: Clock
}): Checkout {
  async function accept(purchase: SandboxPurchase, from: 'open' | 'challenged', method: PaymentMethod): Promise<void> {
    const { id, cents, rate, decimals } = purchase
    const units = getUnits(cents - getFee(cents, method), rate, decimals)
    // Repeated clicks pay once, because only one update finds the expected status.
    if (await store.step(id, from, 'paid', { method, units })) await treasury.settle(id, { waits: true })
  }

  return {
    async pay(purchase, { method, ...card }) {
      const { id, cents, currency } = purchase
      if (purchase.status !== 'open') return undefined
      if (!isWithinLimit(cents, findPaymentLimit(currency, method))) return 'limit'
      if (method === 'ach_bank_account') return void (await accept(purchase, 'open', method))
      const wrong = findInvalidField(card, clock.now())
      if (wrong !== undefined) return wrong
      const outcome = getCardOutcome(card.number)
      if (outcome === 'paid') await accept(purchase, 'open', method)
      else if (outcome === 'challenged') await store.step(id, 'open', 'challenged', { method })
      else await store.step(id, 'open', 'open', { method, decline: outcome })
      return undefined
    },
    async confirm(purchase, code) {
      const { id, status, tries, method = 'card' } = purchase
      if (status !== 'challenged') return
      if (code.replace(/\s/g, '') === bankCode) return accept(purchase, 'challenged', method)
      const isLast = tries + 1 >= maxCodeAttempts
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

/** Finds the limits of a payment method. */
export function findPaymentLimit(currency: string, method: PaymentMethod): MethodLimit | undefined {
  const payments = defaultPayments.find(({ id }) => id === currency)?.payment_method_limits
  return payments?.find(({ id }) => id === method)
}

function isWithinLimit(cents: bigint, limit: MethodLimit | undefined): boolean {
  if (limit === undefined) return false
  const [min = 0n, max = 0n] = [parseCents(limit.min), parseCents(limit.max)]
  return cents >= min && cents <= max
}
