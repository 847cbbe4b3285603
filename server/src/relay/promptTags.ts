/**
 * The Sign protocol requests a push notification for messages of these tags: proposals, requests, events and sign-ins. Relays
 * do not forward the request itself.
 */
export const promptTags: readonly number[] = [1100, 1108, 1110, 1116]
