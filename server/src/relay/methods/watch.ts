import type { Method } from './method.ts'

/** Registers a watch. The watched client has signed it, so any client may send it. */
export const watchRegister: Method = async ({ watches }, params) => {
  await watches.register(params['registerAuth'])
  return { result: { relayId: watches.identity.id } }
}

/** Removes a watch. */
export const watchUnregister: Method = async ({ watches }, params) => {
  await watches.unregister(params['unregisterAuth'])
  return { result: true }
}
