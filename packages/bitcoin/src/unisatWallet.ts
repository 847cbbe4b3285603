import { base64, hex } from '@scure/base'
import { chainOfName, nameOfChain } from './chainNames.ts'
import { call, field, listOf, MissingMethod, textOf, type Opened, type PageWallet } from './pageWallet.ts'

/** A wallet with the injected object of UniSat, which many others copied: one address, a method for each thing. */
export function unisatWallet(provider: object): PageWallet {
  async function open({ silent }: { silent: boolean }): Promise<Opened | undefined> {
    const accounts = listOf(await call(provider, silent ? 'getAccounts' : 'requestAccounts'))
    const address = textOf(accounts[0])
    if (address === undefined) return undefined
    const publicKey = textOf(await call(provider, 'getPublicKey').catch(() => undefined))
    const chainId = chainOfName(await currentChain())
    if (chainId === undefined) return undefined
    return { addresses: [{ address, purpose: 'payment', publicKey }], chainId, approvedChains: 'all' }
  }

  /** `getNetwork` knows two networks only, and is all that older ones have. */
  async function currentChain(): Promise<unknown> {
    const chain = await call(provider, 'getChain').catch(() => undefined)
    return field(chain, 'enum') ?? (await call(provider, 'getNetwork'))
  }

  return {
    open,
    signMessage: ({ message, protocol }) =>
      call(provider, 'signMessage', message, protocol === 'bip322' ? 'bip322-simple' : 'ecdsa'),
    async signPsbt({ psbt, inputs, broadcast }) {
      const options = { autoFinalized: broadcast, toSignInputs: inputs }
      const signed = textOf(await call(provider, 'signPsbt', hex.encode(base64.decode(psbt)), options))
      if (signed === undefined) return { psbt: undefined }
      const txid = broadcast ? await call(provider, 'pushPsbt', signed) : undefined
      return { psbt: base64.encode(hex.decode(signed)), txid }
    },
    sendTransfer: ({ to, value }) => call(provider, 'sendBitcoin', to, Number(value)),
    async switchTo(chainId) {
      const name = nameOfChain(chainId)
      if (name === undefined) return false
      try {
        await call(provider, 'switchChain', `BITCOIN_${name.toUpperCase()}`)
      } catch (error) {
        if (!(error instanceof MissingMethod)) throw error
        if (name !== 'mainnet' && name !== 'testnet') return false
        await call(provider, 'switchNetwork', name === 'mainnet' ? 'livenet' : 'testnet')
      }
      return true
    },
    close: () => call(provider, 'disconnect'),
    listen({ changed }) {
      const events = ['accountsChanged', 'accountChanged', 'chainChanged', 'networkChanged', 'disconnect']
      for (const event of events) call(provider, 'on', event, changed).catch(() => undefined)
      return () => {
        for (const event of events) call(provider, 'removeListener', event, changed).catch(() => undefined)
      }
    },
  }
}
