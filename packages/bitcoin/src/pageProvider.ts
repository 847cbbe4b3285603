import { type Clock, type Provider, walletPatience, within } from '@latchkey/core'
import { LatchkeyError } from '@latchkey/protocol'
import { field, listOf, MissingMethod, textOf, type Opened, type PageWallet } from './pageWallet.ts'
import { walletFailure } from './walletFailure.ts'

/** A provider whose requests end when the wallet is gone. */
export type PageProvider = Provider & { abandon(): void }

/**
 * The words of bip122 over WalletConnect, for a wallet of the page. Every request ends: with an answer, or with an error
 * that says what is known.
 */
export function pageProvider(wallet: PageWallet, opened: () => Opened, clock: Clock): PageProvider {
  const underWay = new Set<() => void>()

  const own: Readonly<Record<string, (params: unknown) => Promise<unknown>>> = {
    getAccountAddresses: async () => opened().addresses.map(describeAddress),
    async signMessage(params) {
      const message = field(params, 'message')
      if (typeof message !== 'string') throw invalid('a message')
      const address = signerOf(params, opened())
      const protocol = field(params, 'protocol') === 'bip322' ? 'bip322' : 'ecdsa'
      return { address, signature: await wallet.signMessage({ address, message, protocol }) }
    },
    async signPsbt(params) {
      const psbt = textOf(field(params, 'psbt'))
      if (psbt === undefined) throw invalid('a PSBT')
      const account = signerOf(params, opened())
      const inputs = listOf(field(params, 'signInputs')).map((input) => readInput(input, account))
      return wallet.signPsbt({ psbt, inputs, broadcast: field(params, 'broadcast') === true })
    },
    async sendTransfer(params) {
      const [to, amount] = [textOf(field(params, 'recipientAddress')), textOf(field(params, 'amount'))]
      if (to === undefined || amount === undefined || !/^\d{1,16}$/.test(amount)) throw invalid('a payment')
      return { txid: await wallet.sendTransfer({ from: signerOf(params, opened()), to, value: BigInt(amount) }) }
    },
  }

  async function carryOut(method: string, params: unknown): Promise<unknown> {
    try {
      const handle = Object.hasOwn(own, method) ? own[method] : undefined
      if (handle === undefined) throw new MissingMethod(`There is no ${method}.`)
      return await handle(params)
    } catch (error) {
      throw walletFailure(method, error)
    }
  }

  return {
    request({ method, params }) {
      // What was to be signed may have been signed.
      const unknown = (): LatchkeyError => new LatchkeyError('request/unknown', { method })
      const asked = new Promise<unknown>((resolve, reject) => {
        const end = (): void => reject(unknown())
        underWay.add(end)
        carryOut(method, params)
          .then(resolve, reject)
          .finally(() => underWay.delete(end))
      })
      return within(clock, walletPatience.approval, asked, unknown)
    },
    abandon: () => {
      for (const end of underWay) end()
    },
  }
}

function describeAddress({ address, publicKey, path, purpose }: Opened['addresses'][number]): object {
  return { address, publicKey, path, intention: purpose === 'ordinals' ? 'ordinal' : 'payment' }
}

/** The address that is asked for, which the wallet has to have shared. */
function signerOf(params: unknown, { addresses }: Opened): string {
  const wanted = textOf(field(params, 'address')) ?? textOf(field(params, 'account')) ?? addresses[0]?.address
  const found = addresses.find(({ address }) => address === wanted)
  if (found === undefined) throw invalid('an address of the wallet')
  return found.address
}

function readInput(input: unknown, account: string): Parameters<PageWallet['signPsbt']>[0]['inputs'][number] {
  const [index, address, types] = ['index', 'address', 'sighashTypes'].map((name) => field(input, name))
  if (typeof index !== 'number' || !Number.isSafeInteger(index)) throw invalid('inputs to sign')
  const sighashTypes = listOf(types).filter((type) => typeof type === 'number')
  return {
    index,
    address: textOf(address) ?? account,
    sighashTypes: sighashTypes.length === 0 ? undefined : sighashTypes,
  }
}

function invalid(what: string): Error {
  return Object.assign(new Error(`Invalid parameters: ${what} is needed.`), { code: -32_602 })
}
