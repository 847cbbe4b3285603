/** The version of the server's package. */
export const version = '0.1.0'
