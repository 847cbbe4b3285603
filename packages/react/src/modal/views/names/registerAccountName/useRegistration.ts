import { getAccount } from '@latchkey/core'
import { registerName } from '@latchkey/core/money'
import { currentEntry, modalOf, replaceView, showToast } from '@latchkey/modal'
import { namesMessages, type NamesMessages } from '@latchkey/modal/messages'
import { isLatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import { useState } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import type { Strings } from '../../../../messages/strings.ts'
import { describeFailure } from '../../../describeFailure.ts'

export type RegistrationState =
  | { readonly status: 'idle' }
  | { readonly status: 'signing' }
  | { readonly status: 'failed'; readonly text: string; readonly calm: boolean }

export type Registration = {
  readonly state: RegistrationState
  /** Sends the request to the wallet. Does nothing while it is pending. */
  register(label: string): void
  /** Clears the failure. Called when the name changes. */
  forget(): void
}

/** Registers a name, and shows the next view if the user is still waiting. */
export function useRegistration(account: AccountId, wallet: string): Registration {
  const latchkey = useLatchkey()
  const strings = useModalMessages()
  const t = useFlowMessages(namesMessages)
  const [state, setState] = useState<RegistrationState>({ status: 'idle' })

  /** True if the view is still on screen, with the same account. */
  const isOnShow = (): boolean => {
    const modal = modalOf(latchkey).state.getState()
    const active = getAccount(latchkey)
    const isActive = active.status === 'connected' && active.account === account
    return isActive && modal.open && currentEntry(modal).view === 'RegisterAccountName'
  }
  const learn = async (): Promise<void> => {
    const queries = queryClientOf(latchkey)
    const { address } = parseAccountId(account)
    await Promise.all(
      [['names', address], ['identity', address], ['name-suggestions']].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    )
  }
  const run = async (label: string): Promise<void> => {
    setState({ status: 'signing' })
    try {
      await registerName(latchkey, label)
      void learn()
      if (isOnShow()) replaceView(latchkey, { view: 'RegisterAccountNameSuccess', params: {} })
      else showToast(latchkey, strings.money.named)
      setState({ status: 'idle' })
    } catch (error) {
      const calm = isLatchkeyError(error, 'request/rejected')
      const text = describe(t, strings, error, wallet)
      if (isLatchkeyError(error, 'name/taken')) void learn()
      // A user who left and declined needs no notice.
      if (!isOnShow() && !calm) showToast(latchkey, text, { variant: 'error' })
      setState({ status: 'failed', text, calm })
    }
  }
  return {
    state,
    register: (label) => void (state.status === 'signing' || run(label)),
    forget: () => setState((present) => (present.status === 'failed' ? { status: 'idle' } : present)),
  }
}

function describe(t: NamesMessages, strings: Strings, error: unknown, wallet: string): string {
  if (isLatchkeyError(error, 'request/rejected')) return t.declined({ wallet })
  if (isLatchkeyError(error, 'name/late')) return t.late
  if (isLatchkeyError(error, 'name/too-many')) return t.tooMany
  if (isLatchkeyError(error, 'name/owned')) return t.owned({ name: error.context.name })
  if (isLatchkeyError(error, 'name/taken')) return t.taken
  if (isLatchkeyError(error, 'name/refused')) return t.refused
  if (isLatchkeyError(error, 'name/unsupported')) return t.unsupported
  if (isLatchkeyError(error, 'name/invalid')) return t.rule
  return describeFailure(strings, error)
}
