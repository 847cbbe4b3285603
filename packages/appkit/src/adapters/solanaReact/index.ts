'use client'

export { isLatchkeyError } from '@latchkey/protocol'
export { useSolanaConnection as useAppKitConnection } from './useSolanaConnection.ts'
