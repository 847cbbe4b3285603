import type { IncomingMessage } from 'node:http'
import { clientAddress } from '../kit/http/clientAddress.ts'
import { Problem } from '../kit/http/problem.ts'
import { chooseNetwork, choosePayment, choosePurchase, isNetworkNamed } from './choose.ts'
import { parseCents } from './cents.ts'
import type { OnRampOptions, PageRequest, PaymentCurrency, PaymentMethod, PurchaseCurrency } from './onRampProvider.ts'

/** The body of a request for a purchase page. */
export type PageBody = {
  destinationWallets: ReadonlyArray<{ address: string; assets?: readonly string[] }>
  defaultNetwork?: string | null
  presetFiatAmount?: number | string | null
  purchaseCurrency?: string
  paymentCurrency?: string
  paymentMethod?: PaymentMethod
}

/**
 * Parses a request for a purchase page. Missing fields default to the provider's first option.
 *
 * @throws Problem 400 that names the field
 */
export function parsePurchasePageRequest(
  body: PageBody,
  options: OnRampOptions,
  { raw, trustedProxies }: { raw: IncomingMessage; trustedProxies: number },
): PageRequest {
  const [wallet] = body.destinationWallets
  if (wallet === undefined) throw new Problem(400, 'destinationWallets', 'Name the address that receives the purchase.')
  const payment = parsePaymentCurrency(body.paymentCurrency, options)
  const purchase = parsePurchaseCurrency(body, wallet.assets ?? [], options)
  return {
    address: wallet.address,
    purchase,
    network: chooseNetwork(purchase, body.defaultNetwork ?? undefined, 'defaultNetwork'),
    currency: payment.id,
    ...parsePresetAmount(body, payment),
    // Rate limits count IPv6 by /64 network. Any address of the network works here.
    clientAddress: clientAddress(raw, trustedProxies).replace(/\/64$/, ''),
  }
}

function parsePaymentCurrency(wanted: string | undefined, options: OnRampOptions): PaymentCurrency {
  if (wanted !== undefined) return choosePayment(options, wanted)
  const [first] = options.paymentCurrencies
  if (first === undefined) throw new Problem(503, 'provider', 'The provider accepts no currency right now.')
  return first
}

function parsePurchaseCurrency(
  { purchaseCurrency, defaultNetwork }: PageBody,
  assets: readonly string[],
  options: OnRampOptions,
): PurchaseCurrency {
  const [wanted = purchaseCurrency] = purchaseCurrency === undefined ? assets : [purchaseCurrency]
  if (wanted !== undefined) return choosePurchase(options, wanted)
  const fitting = options.purchaseCurrencies.find(({ networks }) =>
    networks.some((network) => isNetworkNamed(network, defaultNetwork ?? network.name)),
  )
  if (fitting === undefined) throw new Problem(400, 'defaultNetwork', 'The provider sells nothing on that network.')
  return fitting
}

/**
 * Parses the amount and the payment method. A request without a method gets the first one that accepts the amount.
 *
 * @throws Problem 400 `paymentMethod`, or `presetFiatAmount` unless the method accepts the amount
 */
function parsePresetAmount(
  { presetFiatAmount: preset, paymentMethod }: PageBody,
  { id, payment_method_limits: limits }: PaymentCurrency,
): Pick<PageRequest, 'cents' | 'method'> {
  const usable = limits.filter((limit) => paymentMethod === undefined || limit.id === paymentMethod)
  const [first] = usable
  if (first === undefined) throw new Problem(400, 'paymentMethod', 'The provider does not accept this payment method.')
  if (preset === undefined || preset === null || preset === '' || preset === 0) {
    return { cents: undefined, method: first.id }
  }
  const cents = parseCents(String(preset))
  const within = usable.find(
    ({ min, max }) => cents !== undefined && cents >= (parseCents(min) ?? 0n) && cents <= (parseCents(max) ?? 0n),
  )
  if (within === undefined) {
    throw new Problem(400, 'presetFiatAmount', `This amount of ${id} cannot be paid with the payment method.`)
  }
  return { cents, method: within.id }
}
