import { canSpeedUp, type PendingTransaction } from '@latchkey/core/money'
import { replaceWithNotices } from '@latchkey/modal'
import { holdingsMessages } from '@latchkey/modal/messages'
import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'

/** Speeds up or cancels a pending transaction, on networks whose transactions have a nonce. */
export function ReplaceButtons({ transaction }: { transaction: PendingTransaction }): ReactElement | null {
  const latchkey = useLatchkey()
  const t = useFlowMessages(holdingsMessages)
  const account = useAccount()
  const isFasterHere = useCanSpeedUp(transaction)
  const [requested, setAsked] = useState<'faster' | 'cancel'>()
  const [problem, setProblem] = useState<string>()
  // Only transactions with a known nonce can be replaced.
  if (transaction.nonce === undefined || account.status !== 'connected') return null
  const replace = async (how: 'faster' | 'cancel'): Promise<void> => {
    if (requested !== undefined) return
    setAsked(how)
    setProblem(undefined)
    setProblem(await replaceWithNotices(latchkey, transaction, { how, messages: t }))
    setAsked(undefined)
  }
  const approve = t.details.approveIn({ wallet: account.wallet.name })
  return (
    <>
      <p className="hint center">{t.details.replaceHint}</p>
      <div className="buttons">
        <button
          type="button"
          className="button"
          aria-disabled={requested !== undefined}
          onClick={() => void replace('cancel')}
        >
          {requested === 'cancel' ? approve : t.details.cancel}
        </button>
        {isFasterHere && (
          <button
            type="button"
            className="button"
            data-primary=""
            aria-disabled={requested !== undefined}
            onClick={() => void replace('faster')}
          >
            {requested === 'faster' ? approve : t.details.faster}
          </button>
        )}
      </div>
      {!isFasterHere && <p className="hint center">{t.details.fasterInWallet({ wallet: account.wallet.name })}</p>}
      <div role="alert">{problem !== undefined && <p className="warning">{problem}</p>}</div>
    </>
  )
}

/** Returns true once the wallet is known to sign the same payment with a higher fee. */
function useCanSpeedUp({ from }: PendingTransaction): boolean {
  const latchkey = useLatchkey()
  const [isPossible, setPossible] = useState(false)
  useEffect(() => {
    let isCurrent = true
    void canSpeedUp(latchkey, { from }).then((can) => isCurrent && setPossible(can))
    return () => void (isCurrent = false)
  }, [latchkey, from])
  return isPossible
}
