import {
  isAccountId,
  isLatchkeyError,
  parseAccountId,
  parsePaymentUri,
  type ChainId,
  type PaymentUri,
} from '@latchkey/protocol'
import { formatAmount } from '../../format/amount.ts'
import { isSameSignInAddress } from '../../signIn/isSameSignInAddress.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { chooseToken, findToken, setAmount } from './form.ts'
import { setReceiver } from './receiver.ts'
import { beginRequest } from './requests.ts'
import type { LinkProblem, SendToken } from './sendState.ts'
import { isSending, patchSend, payerOf, sendState, type Payer } from './state.ts'
import { nativeToken } from './tokens.ts'

/** The beginning of a payment link (ERC-681, Solana Pay, BIP-321). */
const linkStart = /^(?:ethereum|solana|bitcoin):/i

/**
 * Sets the recipient as entered, typed, pasted or scanned: an address, a name, an account id (CAIP-10), or a payment
 * link, which fills the whole form.
 *
 * @example enterReceiver(latchkey, 'ethereum:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb@137?value=1e18')
 */
export function enterReceiver(latchkey: Latchkey, entry: string): void {
  const text = entry.trim()
  if (!isAccountId(text)) {
    if (linkStart.test(text)) void takePaymentLink(latchkey, entry)
    else setReceiver(latchkey, entry)
    return
  }
  const { chainId, address } = parseAccountId(text)
  if (chainId === payerOf(latchkey).chainId) return setReceiver(latchkey, address)
  // The account of another network stays in the field, with the reason.
  setReceiver(latchkey, text)
  patchSend(latchkey, { linkProblem: { kind: 'other-network', chainId } })
}

/**
 * Fills the form from a payment link: recipient, token and amount. A link without an amount keeps the selected token. A
 * link that can't be paid here stays in the field, with the reason in `linkProblem`.
 *
 * @example await takePaymentLink(latchkey, 'ethereum:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb@137?value=1e18')
 */
export async function takePaymentLink(latchkey: Latchkey, link: string): Promise<void> {
  if (isSending(latchkey)) return
  const isLatest = beginRequest(latchkey, 'receiver')
  const payer = payerOf(latchkey)
  const none = { receiverAddress: undefined, receiverName: undefined, receiverImage: undefined, similarTo: undefined }
  patchSend(latchkey, { receiver: link, ...none, notes: [], linkProblem: undefined, resolving: true })
  try {
    const payment = parsePaymentUri(link.trim())
    const linkProblem = networkProblem(payment, payer)
    if (linkProblem !== undefined) return void patchSend(latchkey, { resolving: false, linkProblem })
    const token = await tokenOf(payment, payer, {
      tokens: sendState(latchkey).getState().tokens ?? [],
      find: (address) => findToken(latchkey, address),
    })
    if (!isLatest()) return
    if (token !== undefined) chooseToken(latchkey, token)
    const amount = amountOf(payment, token)
    if (amount !== undefined) setAmount(latchkey, amount)
    setReceiver(latchkey, payment.to)
  } catch (error) {
    if (isLatest()) patchSend(latchkey, { resolving: false, linkProblem: toLinkProblem(error) })
  }
}

function networkProblem(payment: PaymentUri, { network, chainId }: Payer): LinkProblem | undefined {
  if (payment.namespace !== network.chainNamespace) return { kind: 'other-network', chainId: undefined }
  const wanted: ChainId | undefined = 'chainId' in payment ? payment.chainId : undefined
  return wanted === undefined || wanted === chainId ? undefined : { kind: 'other-network', chainId: wanted }
}

/** Returns the token that a link asks for, or undefined if it leaves the choice to the payer. */
async function tokenOf(
  payment: PaymentUri,
  { network }: Payer,
  { tokens, find }: { tokens: readonly SendToken[]; find(address: string): Promise<SendToken> },
): Promise<SendToken | undefined> {
  const address = 'token' in payment ? payment.token : undefined
  if (address !== undefined) {
    const listed = tokens.find(
      ({ asset }) => asset.address !== undefined && isSameSignInAddress(asset.address, address),
    )
    return listed ?? find(address)
  }
  const hasAmount = unitsOf(payment) !== undefined || decimalOf(payment) !== undefined
  if (!hasAmount) return undefined
  return tokens.find(({ asset }) => asset.address === undefined) ?? nativeToken(network, undefined, [])
}

function amountOf(payment: PaymentUri, token: SendToken | undefined): string | undefined {
  const units = unitsOf(payment)
  return units === undefined || token === undefined ? decimalOf(payment) : formatAmount(units, token.asset.decimals)
}

/** Returns the amount in base units, if the link contains one. */
function unitsOf(payment: PaymentUri): bigint | undefined {
  return 'units' in payment ? payment.units : undefined
}

/** Returns the amount in whole units, if the link contains one. */
function decimalOf(payment: PaymentUri): string | undefined {
  return 'amount' in payment ? payment.amount : undefined
}

function toLinkProblem(error: unknown): LinkProblem {
  return { kind: isLatchkeyError(error, 'payment-uri/invalid') ? 'invalid' : 'unknown-token' }
}
