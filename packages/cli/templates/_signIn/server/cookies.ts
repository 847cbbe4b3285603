import { config } from './config.ts'

const secure = config.origin.protocol === 'https:'
// Browsers accept this prefix only from the exact host of the app, so no other subdomain can replace the cookie.
const prefix = secure ? '__Host-' : ''

export const cookieNames = { nonce: `${prefix}nonce`, session: `${prefix}session` }

export const cookieOptions = { httpOnly: true, sameSite: 'strict', secure, path: '/' } as const
