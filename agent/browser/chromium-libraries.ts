/** The Debian packages of the libraries that Chromium loads, by the first part of a library's file name. */
const PACKAGES: Readonly<Record<string, string>> = {
  libnss3: 'libnss3',
  libnssutil3: 'libnss3',
  libsmime3: 'libnss3',
  libnspr4: 'libnspr4',
  libplc4: 'libnspr4',
  libplds4: 'libnspr4',
  'libatk-1.0': 'libatk1.0-0',
  'libatk-bridge-2.0': 'libatk-bridge2.0-0',
  libatspi: 'libatspi2.0-0',
  libasound: 'libasound2',
  libcairo: 'libcairo2',
  libcups: 'libcups2',
  'libdbus-1': 'libdbus-1-3',
  libdrm: 'libdrm2',
  libexpat: 'libexpat1',
  libfontconfig: 'libfontconfig1',
  libgbm: 'libgbm1',
  'libglib-2.0': 'libglib2.0-0',
  'libpango-1.0': 'libpango-1.0-0',
  libX11: 'libx11-6',
  libXcomposite: 'libxcomposite1',
  libXdamage: 'libxdamage1',
  libXext: 'libxext6',
  libXfixes: 'libxfixes3',
  libXrandr: 'libxrandr2',
  libxcb: 'libxcb1',
  libxkbcommon: 'libxkbcommon0',
}

/** Returns the Debian package of a library, e.g. of `libnss3.so`. Undefined when it is not known. */
export const debianPackageOf = (library: string): string | undefined => PACKAGES[library.replace(/\.so(\.\d+)*$/, '')]
