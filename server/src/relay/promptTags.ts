/**
 * Messages with these tags (proposals, requests, events, sign-ins) trigger a push notification. The relay does not
 * forward the trigger.
 */
export const promptTags: readonly number[] = [1100, 1108, 1110, 1116]
