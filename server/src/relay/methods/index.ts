import { batchFetchMessages, fetchMessages } from './fetch.ts'
import type { Method } from './method.ts'
import { batchPublish, publish } from './publish.ts'
import { batchReceive } from './receive.ts'
import { approveSession, proposeSession } from './session.ts'
import {
  batchSubscribe,
  batchSubscribeBlocking,
  batchUnsubscribe,
  createTopic,
  subscribe,
  unsubscribe,
} from './subscribe.ts'
import { watchRegister, watchUnregister } from './watch.ts'

/** The methods by name. Older clients write `iridium_` or `waku_` instead of `irn_`. */
const methods: Readonly<Record<string, Method>> = {
  irn_publish: publish,
  irn_batchPublish: batchPublish,
  irn_subscribe: subscribe,
  irn_subscribeBlocking: subscribe,
  irn_batchSubscribe: batchSubscribe,
  irn_batchSubscribeBlocking: batchSubscribeBlocking,
  irn_unsubscribe: unsubscribe,
  irn_batchUnsubscribe: batchUnsubscribe,
  irn_fetchMessages: fetchMessages,
  irn_batchFetchMessages: batchFetchMessages,
  irn_batchReceive: batchReceive,
  irn_watchRegister: watchRegister,
  irn_watchUnregister: watchUnregister,
  wc_createTopic: createTopic,
  wc_proposeSession: proposeSession,
  wc_approveSession: approveSession,
}

/** The current names of the methods. */
export const methodNames: readonly string[] = Object.keys(methods)

/** Finds a method by name. */
export function findMethod(name: string): Method | undefined {
  if (Object.hasOwn(methods, name)) return methods[name]
  const canonical = name.replace(/^(?:iridium|waku)_/, 'irn_')
  return Object.hasOwn(methods, canonical) ? methods[canonical] : undefined
}
