import {
  getBitcoinAddresses,
  sendTransfer,
  signBitcoinMessage,
  signPsbt,
  type SigningProtocol,
} from '@latchkey/bitcoin'
import { connect, disconnect, switchNetwork, type Connection, type Latchkey } from '@latchkey/core'
import { connectedWallet } from '@latchkey/core/internal'
import { parseAccountId, type ChainId } from '@latchkey/protocol'

/** An address of a Bitcoin wallet. */
export type BitcoinAccountAddress = {
  readonly address: string
  readonly purpose: 'payment' | 'ordinal'
  readonly publicKey?: string
  readonly path?: string
}

/** The provider of a Bitcoin wallet. */
export type BitcoinConnector = {
  readonly name: string
  /** @returns the selected address */
  connect(): Promise<string>
  disconnect(): Promise<void>
  getAccountAddresses(): Promise<readonly BitcoinAccountAddress[]>
  /** @returns the signature in base64 */
  signMessage(request: { message: string; address?: string; protocol?: SigningProtocol }): Promise<string>
  /**
   * @param transfer the amount in satoshis, as a decimal string
   * @returns the transaction id
   */
  sendTransfer(transfer: { amount: string; recipient: string }): Promise<string>
  /** @param request the PSBT in base64 */
  signPSBT(request: {
    psbt: string
    signInputs: readonly { index: number; address?: string; sighashTypes?: readonly number[] }[]
    broadcast?: boolean
  }): Promise<{ psbt: string; txid?: string }>
  switchNetwork(caipNetworkId: ChainId): Promise<void>
  request(args: { method: string; params?: unknown }): Promise<unknown>
}

/** Creates the provider of a connection. */
export function createBitcoinConnector({
  latchkey,
  connection: { provider, wallet, accounts },
}: {
  latchkey: Latchkey
  connection: Connection
}): BitcoinConnector {
  return {
    name: wallet.name,
    async connect() {
      const state = connectedWallet(latchkey.wallet.getState().namespaces.bip122)
      if (state !== undefined) await connect(latchkey, state.connectorId, { namespaces: ['bip122'] })
      return parseAccountId(state?.account ?? accounts[0]).address
    },
    disconnect: () => disconnect(latchkey, 'bip122'),
    getAccountAddresses: async () =>
      getBitcoinAddresses(latchkey).map(({ type, ...address }) => ({
        ...address,
        purpose: type === 'ordinals' ? 'ordinal' : 'payment',
      })),
    signMessage: ({ message, address, protocol }) => signBitcoinMessage(latchkey, message, { address, protocol }),
    sendTransfer: ({ amount, recipient }) => sendTransfer(latchkey, { to: recipient, value: BigInt(amount) }),
    signPSBT: ({ psbt, signInputs: inputs, broadcast }) => signPsbt(latchkey, { psbt, inputs, broadcast }),
    switchNetwork: (caipNetworkId) => switchNetwork(latchkey, caipNetworkId),
    request: (args) => provider.request(args),
  }
}
