@echo off
rem Starts Overseer on Windows; a double click will do. Its window shows the address, and Ctrl-C stops it.
cd /d "%~dp0"
where py >nul 2>nul && (py -3 run %*) || (python run %*)
if errorlevel 1 pause
