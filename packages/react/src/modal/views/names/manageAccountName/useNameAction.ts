import { showToast } from '@latchkey/modal'
import { namesMessages, type NamesMessages } from '@latchkey/modal/messages'
import { isLatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import { useState } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import type { Strings } from '../../../../messages/strings.ts'
import { describeFailure } from '../../../describeFailure.ts'

/** A change of a name that waits for the wallet. */
export type NameAction = {
  /** The change that is pending, by the key of its button. */
  readonly pending: string | undefined
  readonly failure: string | undefined
  /**
   * Starts a change, unless another one is pending.
   *
   * @param act asks the wallet; returns the text that is shown afterwards
   */
  run(key: string, act: () => Promise<string>): void
}

/** Runs the changes of an account's names one at a time, and loads the names again after each. */
export function useNameAction(account: AccountId, wallet: string): NameAction {
  const latchkey = useLatchkey()
  const strings = useModalMessages()
  const t = useFlowMessages(namesMessages)
  const [{ pending, failure }, setState] = useState<Pick<NameAction, 'pending' | 'failure'>>({
    pending: undefined,
    failure: undefined,
  })
  const change = async (key: string, act: () => Promise<string>): Promise<void> => {
    setState({ pending: key, failure: undefined })
    try {
      showToast(latchkey, await act())
      setState({ pending: undefined, failure: undefined })
    } catch (error) {
      setState({ pending: undefined, failure: describe(t, strings, error, wallet) })
    }
    const { address } = parseAccountId(account)
    const keys = [['names', address], ['identity', address], ['name-offers', address], ['name-expiry']]
    await Promise.all(keys.map((queryKey) => queryClientOf(latchkey).invalidateQueries({ queryKey })))
  }
  return { pending, failure, run: (key, act) => void (pending === undefined && change(key, act)) }
}

function describe({ late, manage: t }: NamesMessages, strings: Strings, error: unknown, wallet: string): string {
  if (isLatchkeyError(error, 'request/rejected')) return t.declined({ wallet })
  if (isLatchkeyError(error, 'name/late')) return late
  if (isLatchkeyError(error, 'name/refused')) return t.refused
  if (isLatchkeyError(error, 'name/invalid-receiver')) return t.receiverInvalid
  return describeFailure(strings, error)
}
