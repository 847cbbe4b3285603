import { Problem } from '../kit/problem.ts'
import { readCents } from './money.ts'
import type {
  OnRampOptions,
  OnRampProvider,
  PaymentCurrency,
  PaymentMethod,
  PurchaseCurrency,
  PurchaseNetwork,
} from './provider.ts'

/**
 * The provider of a name; the first one when none is named.
 *
 * @throws Problem 400 `provider` for one that is not configured, 503 when there is none at all
 */
export function chooseProvider(providers: readonly OnRampProvider[], name: string | undefined): OnRampProvider {
  const [first] = providers
  if (first === undefined) throw new Problem(503, 'provider', 'Nothing can be bought here: no provider is configured.')
  const chosen = name === undefined || name === '' ? first : providers.find((provider) => provider.name === name)
  if (chosen === undefined) throw new Problem(400, 'provider', 'This provider is not configured here.')
  return chosen
}

/** @throws Problem 400 `paymentCurrency` */
export function choosePayment({ paymentCurrencies }: OnRampOptions, id: string): PaymentCurrency {
  const chosen = paymentCurrencies.find((currency) => currency.id === id)
  if (chosen === undefined) throw new Problem(400, 'paymentCurrency', 'The provider does not take this currency.')
  return chosen
}

/** @throws Problem 400 `purchaseCurrency` */
export function choosePurchase({ purchaseCurrencies }: OnRampOptions, wanted: string): PurchaseCurrency {
  const chosen = purchaseCurrencies.find(({ id, symbol }) => id === wanted || symbol === wanted)
  if (chosen === undefined) throw new Problem(400, 'purchaseCurrency', 'The provider does not sell this.')
  return chosen
}

/** The network of a name; the first one of the asset when none is named. @throws Problem 400 `field` */
export function chooseNetwork(
  { networks }: PurchaseCurrency,
  wanted: string | undefined,
  field: string,
): PurchaseNetwork {
  const [first] = networks
  const chosen = wanted === undefined || wanted === '' ? first : networks.find((network) => isCalled(network, wanted))
  if (chosen === undefined) throw new Problem(400, field, 'The provider does not deliver this on that network.')
  return chosen
}

/** Whether a network goes by a name. */
export function isCalled(network: PurchaseNetwork, name: string): boolean {
  const { display_name: shown, chain_id: id, caip_network_id: caip } = network
  return [network.name, shown.toLowerCase(), id, caip].includes(name) || shown === name
}

/** @throws Problem 400 `amount` that says what may be paid */
export function readAmount(amount: string, payment: PaymentCurrency, method: PaymentMethod): bigint {
  const cents = readCents(amount)
  if (cents === undefined) throw new Problem(400, 'amount', 'The amount is a decimal number with two places.')
  const limit = payment.payment_method_limits.find(({ id }) => id === method)
  if (limit === undefined) throw new Problem(400, 'paymentMethod', 'The provider does not take this way to pay.')
  if (cents < (readCents(limit.min) ?? 0n) || cents > (readCents(limit.max) ?? 0n)) {
    throw new Problem(400, 'amount', `From ${limit.min} to ${limit.max} ${payment.id} can be paid in this way.`)
  }
  return cents
}
