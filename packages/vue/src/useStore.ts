import { onScopeDispose, shallowRef, toValue, watch, type MaybeRefOrGetter, type ShallowRef } from 'vue'

type Source = { subscribe(listener: () => void): () => void }

/** Creates a ref of a value that a store decides. It follows the store until the scope of the component ends. */
export function useStore<value>(source: Source, read: () => value): Readonly<ShallowRef<value>> {
  const live = shallowRef(read())
  onScopeDispose(source.subscribe(() => (live.value = read())))
  return live
}

/** Like `useStore`, for a value that also depends on an argument. */
export function useStoreOf<argument, value>(
  source: Source,
  argument: MaybeRefOrGetter<argument>,
  read: (argument: argument) => value,
): Readonly<ShallowRef<value>> {
  const live = shallowRef(read(toValue(argument)))
  const update = (): void => void (live.value = read(toValue(argument)))
  onScopeDispose(source.subscribe(update))
  watch(() => toValue(argument), update)
  return live
}
