import type { Network } from '@latchkey/protocol'
import { startTransition, useOptimistic } from 'react'
import type { NamespaceAdapter } from '../../namespaces/namespaceAdapter.ts'
import { toRpcError } from '../../rpcError.ts'
import type { ConnectedApp } from '../../wallet/developerWallet.ts'
import type { AppConnection } from '../../wallet/walletMemory.ts'
import { showNotice } from '../../wallet/showNotice.ts'
import { disconnect } from '../../wallet/disconnect.ts'
import { switchAccount, switchNetwork } from '../../wallet/switchNetwork.ts'
import { AccountRow } from '../components/AccountRow.tsx'
import { Sheet } from '../components/Sheet.tsx'
import { useWallet, useWalletState } from '../useStore.ts'

type AppSheetProps = { isOpen: boolean; app: ConnectedApp | undefined; onClose(): void }

/** Shows a connected app: its network, its account and the disconnect button. */
export function AppSheet({ isOpen, app, onClose }: AppSheetProps) {
  const wallet = useWallet()
  const topic = app?.session.topic ?? ''
  const attempt = useReportedTask()
  return (
    <Sheet
      isOpen={isOpen}
      title={<bdi>{app?.app.name}</bdi>}
      contentKey={topic}
      onClose={onClose}
      footer={
        <button
          type="button"
          className="danger"
          onClick={() => {
            onClose()
            void attempt(disconnect(wallet, topic))
          }}
        >
          Disconnect
        </button>
      }
    >
      {app?.app.host !== undefined && <p className="host">{app.app.host}</p>}
      {wallet.adapters.map((adapter) => {
        const connection = app?.connections[adapter.namespace]
        return (
          connection && (
            <NamespaceChoices key={adapter.namespace} topic={topic} adapter={adapter} connection={connection} />
          )
        )
      })}
    </Sheet>
  )
}

type NamespaceChoicesProps = { topic: string; adapter: NamespaceAdapter; connection: AppConnection }

function NamespaceChoices({ topic, adapter, connection }: NamespaceChoicesProps) {
  const wallet = useWallet()
  const { networks } = useWalletState()
  const attempt = useReportedTask()
  // The choice appears at once. It reverts if the app can't be notified.
  const [shown, show] = useOptimistic(connection)
  const move = (next: AppConnection, task: () => Promise<void>): void =>
    startTransition(async () => {
      show(next)
      await attempt(task())
    })
  const mine = networks.filter(({ chainNamespace }) => chainNamespace === adapter.namespace)
  return (
    <>
      <fieldset>
        <legend>Network</legend>
        <div className="card">
          {mine.map((network) => (
            <NetworkRow
              key={network.caipNetworkId}
              network={network}
              isChosen={network.caipNetworkId === shown.chainId}
              onChoose={() =>
                move({ ...shown, chainId: network.caipNetworkId }, () => switchNetwork(wallet, topic, network))
              }
            />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend>Account</legend>
        <div className="card">
          {adapter.accounts.map((account) => (
            <AccountRow
              key={account.address}
              account={account}
              type="radio"
              name={`account-${adapter.namespace}`}
              isChosen={account.address === shown.address}
              onChange={() => move({ ...shown, address: account.address }, () => switchAccount(wallet, topic, account))}
            />
          ))}
        </div>
      </fieldset>
    </>
  )
}

function NetworkRow({ network, isChosen, onChoose }: { network: Network; isChosen: boolean; onChoose(): void }) {
  return (
    <label className="row low">
      <bdi className="row-text strong">{network.name}</bdi>
      <input type="radio" name={`network-${network.chainNamespace}`} checked={isChosen} onChange={onChoose} />
    </label>
  )
}

/** Runs a task and shows a notice if it fails. */
function useReportedTask(): (task: Promise<void>) => Promise<void> {
  const wallet = useWallet()
  return (task) =>
    task.catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : toRpcError(error).message
      showNotice(wallet, 'failure', `The app could not be notified. ${reason}`)
    })
}
