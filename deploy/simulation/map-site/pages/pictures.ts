import type { Reply } from '../exchange.ts'

// The smallest images that a browser accepts.
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=',
  'base64',
)

const CACHED = { 'cache-control': 'public, max-age=86400' }

/** Answers a request for an image: map tiles are PNG, photos are JPEG. */
export const answerPicture = (path: string): Reply =>
  path.startsWith('/img/')
    ? { status: 200, body: JPEG, headers: { 'content-type': 'image/jpeg', ...CACHED } }
    : { status: 200, body: PNG, headers: { 'content-type': 'image/png', ...CACHED } }
