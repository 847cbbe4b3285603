import {
  createMethodProvider,
  invalidParams,
  type AbandonableProvider,
  type MethodHandlers,
} from '@latchkey/adapter-kit'
import type { Clock } from '@latchkey/core'
import { getField, getListField, getStringField } from '@latchkey/protocol'
import type { OpenedWallet, PageWallet, PsbtToSign } from './pageWallet.ts'
import { toBitcoinWalletError } from './toBitcoinWalletError.ts'

/** Gives a wallet of the page the methods that WalletConnect defines for bip122. Every request ends. */
export function createBitcoinProvider(
  wallet: PageWallet,
  opened: () => OpenedWallet,
  clock: Clock,
): AbandonableProvider {
  return createMethodProvider(createBitcoinMethods(wallet, opened), clock, toBitcoinWalletError)
}

function createBitcoinMethods(wallet: PageWallet, opened: () => OpenedWallet): MethodHandlers {
  return {
    getAccountAddresses: async () => opened().addresses.map(describeAddress),
    async signMessage(params) {
      const message = getField(params, 'message')
      if (typeof message !== 'string') throw invalidParams('a message')
      const address = findSigner(params, opened())
      const protocol = getField(params, 'protocol') === 'bip322' ? 'bip322' : 'ecdsa'
      return { address, signature: await wallet.signMessage({ address, message, protocol }) }
    },
    async signPsbt(params) {
      const psbt = getStringField(params, 'psbt')
      if (psbt === undefined) throw invalidParams('a PSBT')
      const account = findSigner(params, opened())
      const inputs = getListField(params, 'signInputs').map((input) => parseInput(input, account))
      return wallet.signPsbt({ psbt, inputs, broadcast: getField(params, 'broadcast') === true })
    },
    async sendTransfer(params) {
      const [to, amount] = [getStringField(params, 'recipientAddress'), getStringField(params, 'amount')]
      if (to === undefined || amount === undefined || !/^\d{1,16}$/.test(amount)) throw invalidParams('a payment')
      return { txid: await wallet.sendTransfer({ from: findSigner(params, opened()), to, value: BigInt(amount) }) }
    },
  }
}

function describeAddress({ address, publicKey, path, purpose }: OpenedWallet['addresses'][number]): object {
  return { address, publicKey, path, intention: purpose === 'ordinals' ? 'ordinal' : 'payment' }
}

/** The address that the request names, which must be one of the wallet's. */
function findSigner(params: unknown, { addresses }: OpenedWallet): string {
  const wanted = getStringField(params, 'address') ?? getStringField(params, 'account') ?? addresses[0]?.address
  const found = addresses.find(({ address }) => address === wanted)
  if (found === undefined) throw invalidParams('an address of the wallet')
  return found.address
}

function parseInput(input: unknown, account: string): PsbtToSign['inputs'][number] {
  const index = getField(input, 'index')
  if (typeof index !== 'number' || !Number.isSafeInteger(index)) throw invalidParams('inputs to sign')
  const sighashTypes = getListField(input, 'sighashTypes').filter((type) => typeof type === 'number')
  return {
    index,
    address: getStringField(input, 'address') ?? account,
    sighashTypes: sighashTypes.length === 0 ? undefined : sighashTypes,
  }
}
