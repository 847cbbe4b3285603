import type { ChainId, Network } from '@latchkey/protocol'
import { base64, hex } from '@scure/base'
import { chainOfName, nameOfChain } from './chainNames.ts'
import {
  call,
  field,
  listOf,
  MissingMethod,
  textOf,
  type Opened,
  type PageWallet,
  type WalletAddress,
} from './pageWallet.ts'
import type { ComposeTransfer } from './composeTransfer.ts'

type StandardAccount = WalletAddress & { chains: readonly ChainId[]; raw: unknown }

/**
 * A wallet of the Wallet Standard with the features of Bitcoin. It has none for a payment, so one is composed for it to
 * sign. Its accounts name their chains, so another of them is taken without asking anybody.
 */
export function standardWallet(wallet: object, compose: ComposeTransfer): PageWallet {
  let current: ChainId | undefined
  let wasAsked = false
  const feature = (name: string): unknown => field(wallet, 'features', name)
  const accounts = (): StandardAccount[] =>
    listOf(field(wallet, 'accounts'))
      .map(readAccount)
      .filter((each) => each !== undefined)

  async function askConsent(silent: boolean): Promise<readonly StandardAccount[]> {
    if (silent) {
      // Once: a wallet may tell of a change whenever it is asked, which would make us ask again.
      const standard = accounts().length === 0 && !wasAsked ? feature('standard:connect') : undefined
      wasAsked = true
      if (standard !== undefined) await call(standard, 'connect', { silent: true }).catch(() => undefined)
      return accounts()
    }
    const answer = await call(feature('bitcoin:connect'), 'connect', { purposes: ['payment', 'ordinals'] })
    const given = listOf(field(answer, 'accounts'))
      .map(readAccount)
      .filter((each) => each !== undefined)
    return given
  }

  async function open({
    silent,
    networks,
  }: {
    silent: boolean
    networks: readonly Network[]
  }): Promise<Opened | undefined> {
    const given = await askConsent(silent)
    const approved = [...new Set(given.flatMap(({ chains }) => chains))]
    const wanted = [current, ...networks.map(({ caipNetworkId }) => caipNetworkId)]
    const chainId = wanted.find((chain) => chain !== undefined && approved.includes(chain)) ?? approved[0]
    if (chainId === undefined) return undefined
    current = chainId
    return { addresses: given.filter(({ chains }) => chains.includes(chainId)), chainId, approvedChains: approved }
  }

  function accountOf(address: string): unknown {
    const account = accounts().find((each) => each.address === address)
    if (account === undefined) throw new MissingMethod('It shares no such address.')
    return account.raw
  }

  const chain = (): string => `bitcoin:${(current && nameOfChain(current)) ?? 'mainnet'}`

  const signPsbt: PageWallet['signPsbt'] = async ({ psbt, inputs, broadcast }) => {
    const inputsToSign = inputs.map(({ address, index, sighashTypes }) => {
      const account = accountOf(address)
      return {
        account,
        signingIndexes: [index],
        ...(sighashTypes === undefined ? {} : { sigHash: sigHashName(sighashTypes) }),
      }
    })
    const request = { psbt: base64.decode(psbt), inputsToSign, chain: chain() }
    const signed = await call(feature('bitcoin:signTransaction'), 'signTransaction', request)
    const bytes = bytesOf(field(signed, '0', 'signedPsbt'))
    if (bytes === undefined) return { psbt: undefined }
    const text = base64.encode(bytes)
    return broadcast && current !== undefined ? { psbt: text, txid: await compose.send(current, text) } : { psbt: text }
  }

  return {
    open,
    async signMessage({ address, message }) {
      const request = { account: accountOf(address), message: new TextEncoder().encode(message) }
      const signature = bytesOf(
        field(await call(feature('bitcoin:signMessage'), 'signMessage', request), '0', 'signature'),
      )
      return signature && base64.encode(signature)
    },
    signPsbt,
    async sendTransfer({ from, to, value }) {
      const payer = accounts().find((each) => each.address === from)
      if (payer === undefined || current === undefined) throw new MissingMethod('It shares no such address.')
      const { psbt, inputs } = await compose.transfer(current, payer, { to, value })
      const indexes = Array.from({ length: inputs }, (_, index) => index)
      const request = {
        psbt,
        inputs: indexes.map((index) => ({ address: from, index, sighashTypes: undefined })),
        broadcast: true,
      }
      return (await signPsbt(request)).txid
    },
    async switchTo(chainId) {
      if (!accounts().some(({ chains }) => chains.includes(chainId))) return false
      current = chainId
      return true
    },
    async close() {
      const ends = ['standard:disconnect', 'bitcoin:disconnect'].filter((name) => feature(name) !== undefined)
      for (const name of ends) await call(feature(name), 'disconnect')
    },
    listen({ changed }) {
      const stop = call(feature('standard:events'), 'on', 'change', changed).catch(() => undefined)
      return () => void stop.then((end) => typeof end === 'function' && end())
    },
  }
}

function readAccount(raw: unknown): StandardAccount | undefined {
  const address = textOf(field(raw, 'address'))
  const chains = listOf(field(raw, 'chains'))
    .map(chainOfName)
    .filter((chain) => chain !== undefined)
  if (address === undefined || chains.length === 0) return undefined
  const purpose = field(raw, 'purpose')
  const key = bytesOf(field(raw, 'publicKey'))
  return {
    address,
    purpose: purpose === 'payment' || purpose === 'ordinals' ? purpose : undefined,
    publicKey: key === undefined || key.length === 0 ? undefined : hex.encode(key),
    chains,
    raw,
  }
}

/** Bytes of a wallet that may live in another realm. */
function bytesOf(value: unknown): Uint8Array | undefined {
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined
}

/** The names of the standard for the kinds of signatures. */
function sigHashName([type]: readonly number[]): string | undefined {
  const names: Readonly<Record<number, string>> = {
    1: 'ALL',
    2: 'NONE',
    3: 'SINGLE',
    129: 'ALL|ANYONECANPAY',
    130: 'NONE|ANYONECANPAY',
    131: 'SINGLE|ANYONECANPAY',
  }
  return type === undefined ? undefined : names[type]
}
