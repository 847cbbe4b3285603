import { Problem } from '../kit/http/problem.ts'
import { parseCents } from './cents.ts'
import type {
  OnRampOptions,
  OnRampProvider,
  PaymentCurrency,
  PaymentMethod,
  PurchaseCurrency,
  PurchaseNetwork,
} from './onRampProvider.ts'

/**
 * Finds the provider with a name, or the first one if the request names none.
 *
 * @throws Problem 400 `provider` if it is not configured, 503 if no provider is
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
  if (chosen === undefined) throw new Problem(400, 'paymentCurrency', 'The provider does not accept this currency.')
  return chosen
}

/** @throws Problem 400 `purchaseCurrency` */
export function choosePurchase({ purchaseCurrencies }: OnRampOptions, wanted: string): PurchaseCurrency {
  const chosen = purchaseCurrencies.find(({ id, symbol }) => id === wanted || symbol === wanted)
  if (chosen === undefined) throw new Problem(400, 'purchaseCurrency', 'The provider does not sell this.')
  return chosen
}

/**
 * Finds the network with a name, or the first one of the asset if the request names none.
 *
 * @throws Problem 400 `field`
 */
export function chooseNetwork(
  { networks }: PurchaseCurrency,
  wanted: string | undefined,
  field: string,
): PurchaseNetwork {
  const [first] = networks
  const chosen =
    wanted === undefined || wanted === '' ? first : networks.find((network) => isNetworkNamed(network, wanted))
  if (chosen === undefined) throw new Problem(400, field, 'The provider does not deliver this on that network.')
  return chosen
}

/** True if the name is one of the network's names or ids. */
export function isNetworkNamed(network: PurchaseNetwork, name: string): boolean {
  const { display_name: shown, chain_id: id, caip_network_id: caip } = network
  return [network.name, shown.toLowerCase(), id, caip].includes(name) || shown === name
}

/** @throws Problem 400 `amount`, with the limits of the payment method */
export function parsePaymentAmount(amount: string, payment: PaymentCurrency, method: PaymentMethod): bigint {
  const cents = parseCents(amount)
  if (cents === undefined) throw new Problem(400, 'amount', 'The amount is a decimal number with two places.')
  const limit = payment.payment_method_limits.find(({ id }) => id === method)
  if (limit === undefined) throw new Problem(400, 'paymentMethod', 'The provider does not accept this payment method.')
  if (cents < (parseCents(limit.min) ?? 0n) || cents > (parseCents(limit.max) ?? 0n)) {
    throw new Problem(400, 'amount', `Pay ${limit.min} to ${limit.max} ${payment.id} with this method.`)
  }
  return cents
}
