import { callMethod, MissingMethodError } from '@latchkey/adapter-kit'
import { getField, getListField, getStringField } from '@latchkey/protocol'
import { base64, hex } from '@scure/base'
import { getChainName, parseUnisatChain } from '../chain/chainNames.ts'
import type { OpenedWallet, PageWallet } from './pageWallet.ts'

const changeEvents = ['accountsChanged', 'accountChanged', 'chainChanged', 'networkChanged', 'disconnect'] as const

/** Wraps a wallet with the injected object of UniSat, which many wallets copied: one address, and one method per task. */
export function unisatWallet(provider: object): PageWallet {
  return {
    open: ({ silent }) => openUnisat(provider, silent),
    signMessage: ({ message, protocol }) =>
      callMethod(provider, 'signMessage', message, protocol === 'bip322' ? 'bip322-simple' : 'ecdsa'),
    async signPsbt({ psbt, inputs, broadcast }) {
      const options = { autoFinalized: broadcast, toSignInputs: inputs }
      const response = await callMethod(provider, 'signPsbt', hex.encode(base64.decode(psbt)), options)
      if (typeof response !== 'string' || response === '') return { psbt: undefined }
      const txid = broadcast ? await callMethod(provider, 'pushPsbt', response) : undefined
      return { psbt: base64.encode(hex.decode(response)), txid }
    },
    sendTransfer: ({ to, value }) => callMethod(provider, 'sendBitcoin', to, Number(value)),
    async switchTo(chainId) {
      const name = getChainName(chainId)
      if (name === undefined) return false
      try {
        await callMethod(provider, 'switchChain', `BITCOIN_${name.toUpperCase()}`)
      } catch (error) {
        if (!(error instanceof MissingMethodError)) throw error
        if (name !== 'mainnet' && name !== 'testnet') return false
        await callMethod(provider, 'switchNetwork', name === 'mainnet' ? 'livenet' : 'testnet')
      }
      return true
    },
    close: () => callMethod(provider, 'disconnect'),
    listen({ changed }) {
      for (const event of changeEvents) callMethod(provider, 'on', event, changed).catch(() => undefined)
      return () => {
        for (const event of changeEvents) callMethod(provider, 'removeListener', event, changed).catch(() => undefined)
      }
    },
  }
}

async function openUnisat(provider: object, silent: boolean): Promise<OpenedWallet | undefined> {
  const accounts = getListField(await callMethod(provider, silent ? 'getAccounts' : 'requestAccounts'))
  const address = getStringField(accounts, '0')
  if (address === undefined) return undefined
  const publicKey = getStringField(await callMethod(provider, 'getPublicKey').catch(() => undefined))
  const chainId = parseUnisatChain(await getUnisatChain(provider))
  if (chainId === undefined) return undefined
  return { addresses: [{ address, purpose: 'payment', publicKey }], chainId, approvedChains: 'all' }
}

/** `getNetwork` knows only two networks. Older wallets have nothing else. */
async function getUnisatChain(provider: object): Promise<unknown> {
  const chain = await callMethod(provider, 'getChain').catch(() => undefined)
  return getField(chain, 'enum') ?? (await callMethod(provider, 'getNetwork'))
}
