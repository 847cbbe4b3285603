import type { Latchkey } from '@latchkey/core'
import { computed, shallowRef, toValue, watch, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import { useAccount } from './useAccount.ts'
import { useAction } from './useAction.ts'

/** A value that is read again when what it depends on changes. */
export type Read<data> = {
  data: ComputedRef<data | undefined>
  error: ComputedRef<unknown>
  status: ComputedRef<'pending' | 'error' | 'success'>
  isFetching: ComputedRef<boolean>
  refetch(): Promise<void>
}

/**
 * Reads a value now, and again when its subject or the account changes. A refetch keeps the value until the next one arrives.
 *
 * @param subject a ref or getter; nothing is read while it is undefined
 * @param read reads the value of the subject
 * @example const tokens = useRead(() => account, (latchkey) => getTokens(latchkey))
 */
export function useRead<subject, data>(
  subject: MaybeRefOrGetter<subject | undefined>,
  read: (latchkey: Latchkey, subject: subject) => Promise<data>,
): Read<data> {
  const account = useAccount()
  return useReadOf(subject, () => [account.value.status, accountOf(account.value), account.value.network], read)
}

/** Like `useRead`, for a value that depends on its subject and on `others`, but not on the account. */
export function useReadOf<subject, data>(
  subject: MaybeRefOrGetter<subject | undefined>,
  others: () => readonly unknown[],
  read: (latchkey: Latchkey, subject: subject) => Promise<data>,
): Read<data> {
  const action = useAction<[subject: subject], data>(read)
  const last = shallowRef<data>()
  const newestRead = shallowRef(0)
  const refetch = async (): Promise<void> => {
    const about = toValue(subject)
    if (about === undefined) return
    const number = (newestRead.value += 1)
    try {
      const data = await action.mutateAsync(about)
      // A later read has replaced this one.
      if (number === newestRead.value) last.value = data
    } catch {
      // The state reports the failure.
    }
  }
  const key = computed(() => [toValue(subject), ...others()])
  const readAgain = (): void => {
    newestRead.value += 1
    last.value = undefined
    action.reset()
    void refetch()
  }
  // A server renders the page before anything is read.
  watch(key, readAgain, { immediate: typeof document !== 'undefined' })
  return {
    data: computed(() => last.value),
    error: action.error,
    status: computed(() => (action.status.value === 'idle' ? 'pending' : action.status.value)),
    isFetching: computed(() => action.status.value === 'pending'),
    refetch,
  }
}

function accountOf(state: object): unknown {
  return Reflect.get(state, 'account')
}
