import type { Network } from '@latchkey/protocol'
import { startTransition, useOptimistic } from 'react'
import type { Family } from '../../families/family.ts'
import { asRpcError } from '../../rpcError.ts'
import type { ConnectedApp } from '../../wallet/developerWallet.ts'
import type { Standing } from '../../wallet/memory.ts'
import { tell } from '../../wallet/notices.ts'
import { disconnect, switchAccount, switchNetwork } from '../../wallet/sessions.ts'
import { AccountRow } from '../parts/AccountRow.tsx'
import { Sheet } from '../parts/Sheet.tsx'
import { useWallet, useWalletState } from '../useStore.ts'

type AppSheetProps = { isOpen: boolean; app: ConnectedApp | undefined; onClose(): void }

/** One connected app: its network, its account, and the way to end it. */
export function AppSheet({ isOpen, app, onClose }: AppSheetProps) {
  const wallet = useWallet()
  const topic = app?.session.topic ?? ''
  const attempt = useAttempt()
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
      {wallet.families.map((family) => {
        const standing = app?.standings[family.namespace]
        return standing && <FamilyChoices key={family.namespace} topic={topic} family={family} standing={standing} />
      })}
    </Sheet>
  )
}

type FamilyChoicesProps = { topic: string; family: Family; standing: Standing }

function FamilyChoices({ topic, family, standing }: FamilyChoicesProps) {
  const wallet = useWallet()
  const { networks } = useWalletState()
  const attempt = useAttempt()
  // The choice shows at once, and falls back by itself when the app could not be told.
  const [shown, show] = useOptimistic(standing)
  const move = (next: Standing, task: () => Promise<void>): void =>
    startTransition(async () => {
      show(next)
      await attempt(task())
    })
  const mine = networks.filter(({ chainNamespace }) => chainNamespace === family.namespace)
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
          {family.accounts.map((account) => (
            <AccountRow
              key={account.address}
              account={account}
              type="radio"
              name={`account-${family.namespace}`}
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

/** Tells the owner when something that was begun by a press did not work. */
function useAttempt(): (task: Promise<void>) => Promise<void> {
  const wallet = useWallet()
  return (task) =>
    task.catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : asRpcError(error).message
      tell(wallet, 'failure', `The app could not be told. ${reason}`)
    })
}
