import { readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { Reader, type CityResponse } from 'mmdb-lib'
import { errorMessage } from '../../../kit/runtime/errorMessage.ts'
import { createPlaces, type PlaceLookup, type Places } from './places.ts'

/**
 * Opens the places of a database file in MaxMind's format (MMDB), with countries or cities. The file is read once.
 *
 * @param file its path; every public address is unknown if omitted
 * @throws Error that names `GEOIP_FILE` if the file can't be read or contains no countries
 * @example const places = await openPlaces('/var/lib/latchkey/city.mmdb')
 */
export async function openPlaces(file: string | undefined): Promise<Places> {
  return file === undefined ? createPlaces() : createPlaces(await openLookup(file))
}

async function openLookup(file: string): Promise<PlaceLookup> {
  const reader = await openReader(file)
  const { databaseType, ipVersion } = reader.metadata
  if (!/country|city/i.test(databaseType)) {
    throw new Error(`GEOIP_FILE: ${file} contains neither countries nor cities. Its type is ${databaseType}.`)
  }
  return (address) => {
    if (ipVersion === 4 && isIPv6(address)) return undefined
    const found = reader.get(address)
    const country = found?.country?.iso_code ?? found?.registered_country?.iso_code
    if (country === undefined) return undefined
    const city = found?.city?.names.en
    return city === undefined ? { country } : { country, city }
  }
}

async function openReader(file: string): Promise<Reader<CityResponse>> {
  try {
    return new Reader<CityResponse>(await readFile(file))
  } catch (error) {
    const reason = errorMessage(error)
    throw new Error(`GEOIP_FILE: ${file} can’t be read as a database of places (MMDB): ${reason}`, { cause: error })
  }
}
