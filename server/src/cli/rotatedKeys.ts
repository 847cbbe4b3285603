/** The keys that the operator can rotate: those that seal the secrets of a service in its database. */
export const rotatedKeys = ['auth', 'shares', 'api'] as const
export type RotatedKey = (typeof rotatedKeys)[number]
